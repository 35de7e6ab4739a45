/**
 * How a paid receipt is bought, as the docs show it: three texts that run as they stand once the
 * placeholders in capitals are filled in. The environment of a run gives them instead in the tests.
 */
export function paidExamples(publicUrl: string): {
  curl: string;
  typescript: string;
  python: string;
} {
  return {
    curl: `# 1. Ask. The answer is 402 and names the price, the wallet to pay and the memo.
curl -sS -X POST ${publicUrl}/mint \\
  -H 'Content-Type: application/json' \\
  -d "{\\"tx_signature\\":\\"$TX_SIGNATURE\\",\\"service_type\\":\\"API access\\"}"

# 2. Pay: send the USDC with the memo of the offer, from the payer's or the seller's wallet.
spl-token transfer EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v "$AMOUNT" "$PAY_TO" \\
  --with-memo "$MEMO"

# 3. Send the same request with the signature of that payment.
curl -sS -X POST ${publicUrl}/mint \\
  -H 'Content-Type: application/json' -H "X-Payment: $PAYMENT_SIGNATURE" \\
  -d "{\\"tx_signature\\":\\"$TX_SIGNATURE\\",\\"service_type\\":\\"API access\\"}"`,
    typescript: `import { createKeyPairSignerFromBytes } from '@solana/kit';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import bs58 from 'bs58';

// The wallet that paid, or the one that was paid: it pays the fee in USDC.
const signer = await createKeyPairSignerFromBytes(bs58.decode(process.env.WALLET_KEY ?? ''));
const client = new x402Client().register('solana:*', new ExactSvmScheme(signer));
const pay = wrapFetchWithPayment(fetch, client);

const answer = await pay('${publicUrl}/mint', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    tx_signature: process.env.TX_SIGNATURE,
    service_type: 'API access',
  }),
});
console.log(answer.status, await answer.json());`,
    python: `import json, os, subprocess, urllib.error, urllib.request

URL = "${publicUrl}/mint"
BODY = json.dumps({"tx_signature": os.environ["TX_SIGNATURE"], "service_type": "API access"}).encode()

def post(headers={}):
    request = urllib.request.Request(
        URL, BODY, {"Content-Type": "application/json", **headers}, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)

status, body = post()
if status == 402:
    offer = body["paymentRequirements"]["accepts"][0]
    # Any program that sends USDC with a memo and prints the signature will do.
    paid = subprocess.run(
        [*os.environ["PAY_COMMAND"].split(), offer["payTo"], offer["maxAmount"], offer["extra"]["memo"]],
        check=True, capture_output=True, text=True).stdout.strip()
    status, body = post({"X-Payment": paid})
print(status, json.dumps(body))`,
  };
}
