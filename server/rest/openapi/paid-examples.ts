import { MEMO_PROGRAM_IDS } from '@quittance/verify/chain/programs';

/** Programs whose memos name a quote, for pages. */
export const PAYMENT_MEMO_PROGRAMS = MEMO_PROGRAM_IDS;

/** A paid route in its examples. Values that differ from call to call come from the environment. */
type Route = { path: string; fields: Readonly<Record<string, string>> };

const ROUTES = {
  '/mint': {
    path: '/mint',
    fields: { tx_signature: 'TX_SIGNATURE', service_type: 'SERVICE_TYPE' },
  },
  '/statement': {
    path: '/statement',
    fields: { wallet_address: 'WALLET', period_start: 'PERIOD_START', period_end: 'PERIOD_END' },
  },
} as const satisfies Record<string, Route>;

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Variables that the examples read from their environment. */
export const EXAMPLE_VARIABLES: Readonly<Record<string, string>> = {
  TX_SIGNATURE:
    'Signature of the payment: 87 or 88 characters that your wallet or an explorer shows.',
  SERVICE_TYPE: 'Purpose of the payment, 1 to 64 characters. Public and permanent.',
  WALLET: 'Address of your wallet. A statement is about it, and it pays the fee.',
  PERIOD_START: 'First moment of the statement in UTC, for example 2026-01-01T00:00:00Z.',
  PERIOD_END: 'End of the statement, not included. An end with second 59 includes that second.',
  WALLET_KEY:
    'Secret key of your wallet in base58, 64 bytes, as wallets export it. It never leaves your machine.',
  SOLANA_RPC_URL: 'Address of a Solana node, for the payment.',
};

/**
 * A first receipt of a payment under 1 USD, which costs nothing: programs that run as they stand. curl signs with
 * `solana` of the Solana command line tools, TypeScript with the secret key in WALLET_KEY (base58).
 */
export function firstReceipt(
  publicUrl: string,
  serviceName: string,
): { curl: string; typescript: string } {
  return {
    curl: String.raw`# 1. Sign a text with the wallet that paid or was paid. It moves no money.
SIGNATURE=$(solana sign-offchain-message "${serviceName}:$TX_SIGNATURE")

# 2. Ask for the receipt, and wait up to 30 s for its proof on chain.
curl -sS -X POST '${publicUrl}/mint' -H 'Content-Type: application/json' -H 'Prefer: wait=30' \
  -H "X-Wallet-Address: $(solana address)" -H "X-Wallet-Signature: $SIGNATURE" \
  -d "{\"tx_signature\":\"$TX_SIGNATURE\",\"service_type\":\"$SERVICE_TYPE\"}"

# 3. Open ${publicUrl}/r/ and the receipt_id of the answer.`,
    typescript: `import { createKeyPairFromBytes, getAddressFromPublicKey, signBytes } from '@solana/kit';
import bs58 from 'bs58';

const { WALLET_KEY, TX_SIGNATURE, SERVICE_TYPE } = process.env;
const keys = await createKeyPairFromBytes(bs58.decode(WALLET_KEY ?? ''));

// 1. Sign a text with the wallet that paid or was paid. It moves no money.
const text = new TextEncoder().encode(\`${serviceName}:\${TX_SIGNATURE}\`);
const signature = bs58.encode(await signBytes(keys.privateKey, text));

// 2. Ask for the receipt, and wait up to 30 s for its proof on chain.
const answer = await fetch('${publicUrl}/mint', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    prefer: 'wait=30',
    'x-wallet-address': await getAddressFromPublicKey(keys.publicKey),
    'x-wallet-signature': signature,
  },
  body: JSON.stringify({ tx_signature: TX_SIGNATURE, service_type: SERVICE_TYPE }),
});

// 3. Open ${publicUrl}/r/ and the receipt_id of the answer.
console.log(JSON.stringify(await answer.json()));`,
  };
}

/**
 * How a paid route is bought, as the docs show it: programs that run as they stand, with the
 * variables in capitals in their environment. curl and Python pay with `spl-token` of the Solana
 * command line tools. TypeScript signs the payment with the secret key in WALLET_KEY (base58), by
 * the rules of x402 version 2.
 */
export function paidExamples(
  publicUrl: string,
  route: keyof typeof ROUTES,
): { curl: string; typescript: string; python: string } {
  const { path, fields }: Route = ROUTES[route];
  const url = `${publicUrl}${path}`;
  const entries = Object.entries(fields);
  const shellBody = entries.map(([name, variable]) => `\\"${name}\\":\\"$${variable}\\"`).join(',');
  return {
    curl: String.raw`BODY="{${shellBody}}"

# 1. Ask. The answer is 402 and names the price in millionths of a USDC, the wallet to pay and the memo.
OFFER=$(curl -sS -X POST '${url}' -H 'Content-Type: application/json' -d "$BODY")
field() { printf '%s' "$OFFER" | grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
MICROS=$(field maxAmount)

# 2. Pay it, with the memo, from a wallet that takes part in the request.
PAYMENT=$(spl-token transfer ${USDC} \
  "$((MICROS / 1000000)).$(printf '%06d' $((MICROS % 1000000)))" "$(field payTo)" \
  --with-memo "$(field memo)" --output json-compact | grep -o '"signature":"[^"]*"' | cut -d '"' -f 4)

# 3. The same request, with the signature of that payment. After a 503, send it again.
curl -sS --retry 9 -X POST '${url}' -H 'Content-Type: application/json' \
  -H "X-Payment: $PAYMENT" -d "$BODY"`,
    typescript: String.raw`import { createKeyPairSignerFromBytes } from '@solana/kit';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import bs58 from 'bs58';

const { ${['WALLET_KEY', 'SOLANA_RPC_URL', ...entries.map(([, variable]) => variable)].join(', ')} } = process.env;
const signer = await createKeyPairSignerFromBytes(bs58.decode(WALLET_KEY ?? ''));
const scheme = new ExactSvmScheme(signer, { rpcUrl: SOLANA_RPC_URL });
const pay = wrapFetchWithPayment(fetch, new x402Client().register('solana:*', scheme));

const answer = await pay('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
${entries.map(([name, variable]) => `    ${name}: ${variable},`).join('\n')}
  }),
});
console.log(JSON.stringify(await answer.json()));`,
    python: String.raw`import json, os, subprocess, time, urllib.error, urllib.request

BODY = {
${entries.map(([name, variable]) => `    "${name}": os.environ["${variable}"],`).join('\n')}
}

def post(headers={}):
    request = urllib.request.Request(
        "${url}", json.dumps(BODY).encode(),
        {"Content-Type": "application/json", **headers}, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)

status, body = post()
if status == 402:
    offer = body["paymentRequirements"]["accepts"][0]
    micros = int(offer["maxAmount"])
    paid = subprocess.run(
        ["spl-token", "transfer", "${USDC}",
         f"{micros // 1_000_000}.{micros % 1_000_000:06d}", offer["payTo"],
         "--with-memo", offer["extra"]["memo"], "--output", "json-compact"],
        check=True, capture_output=True, text=True).stdout
    payment = {"X-Payment": json.loads(paid)["signature"]}
    status, body = post(payment)
    # Not seen yet: the same request with the same payment, which is never charged twice.
    while status == 503:
        time.sleep(5)
        status, body = post(payment)
print(json.dumps(body))`,
  };
}
