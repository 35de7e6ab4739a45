import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { askForReceipt } from '@/devnet/client/ask-for-receipt';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payOffer, readOffer } from '@/devnet/client/pay-offer';
import { payToken } from '@/devnet/client/pay-token';
import { readAnswer } from '@/devnet/client/read-answer';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { gatherEvidence } from '@/server/receipts/gather-evidence';
import type { DemoPlace } from './run-demo';

type Place = DemoPlace;

const minted = z.object({
  receipt_id: z.string(),
  metadata_uri: z.url(),
  asset_name: z.string(),
  dtif_code: z.string(),
});
const status = z.object({
  mint_status: z.enum(['pending', 'completed', 'failed']),
  attempts: z.number().optional(),
  last_error: z.string().nullish(),
  mint_signature: z.string().optional(),
  asset_id: z.string().optional(),
});

/** The longest wait for a mint, which needs only the finality of the chain. */
const PATIENCE_MS = 120_000;

/**
 * The main use case, printed step by step. A payment of 25 USDC, the 402 that asks for the fee, the
 * fee's payment, the receipt, its proof on chain, and an independent check of both. Resolves to
 * whether every line of the check passed.
 */
export async function runDemo(place: Place, say: (line: string) => void): Promise<boolean> {
  const payer = makeWallet();
  const seller = makeWallet();
  await fundWallet(place.rpcUrl, { wallet: payer.address, sol: 1, token: 'USDC', amount: '30' });
  const txSignature = await payToken(place.rpcUrl, {
    from: payer,
    to: seller.address,
    token: 'USDC',
    amount: 25_000_000n,
  });
  say(`payment   25 USDC from ${payer.address} to ${seller.address}`);
  say(`          transaction ${txSignature}`);

  const receipt = minted.parse(await buyReceipt(place, { payer, txSignature }, say));
  say(`receipt   ${receipt.receipt_id} (${receipt.asset_name}, DTI ${receipt.dtif_code})`);

  const proof = await follow(place, receipt.receipt_id, say);
  if (proof.mint_status !== 'completed') return false;

  say('');
  say('Checked from outside, with the issuer document, the chain and the storage gateway:');
  const evidence = await gatherEvidence({ receiptId: receipt.receipt_id, ...place });
  const lines = checkReceipt(evidence);
  for (const line of lines) say(`  ${line.outcome.padEnd(7)}  ${line.title}`);

  const image = join(place.outDir, `${receipt.receipt_id}.png`);
  await writeFile(image, evidence.image.bytes);
  say('');
  say(`receipt   ${place.baseUrl}/receipt/${receipt.receipt_id}`);
  say(`metadata  ${receipt.metadata_uri}`);
  say(`image     ${image}`);
  say(`NFT       ${proof.asset_id ?? ''}`);
  say(`          minted in ${proof.mint_signature ?? ''}`);
  return verdictOf(lines) === 'genuine';
}

/** Asks, pays the amount in the 402, and repeats the request with the payment. */
async function buyReceipt(
  place: Place,
  { payer, txSignature }: { payer: Wallet; txSignature: string },
  say: (line: string) => void,
): Promise<unknown> {
  const request = { txSignature, body: { service_type: 'API access, one month' } };
  const asked = await readAnswer(await askForReceipt(place.baseUrl, request), 402);
  const offer = readOffer(asked);
  say(
    `402       ${offer.message
      .split(/(?<=\.) /)
      .slice(0, 2)
      .join(' ')}`,
  );
  say(`          ${offer.amount} micro-USDC to ${offer.payTo}, memo ${offer.memo}`);
  const payment = await payOffer(place.rpcUrl, payer, offer);
  say(`fee       paid in ${payment}`);
  const paid = { ...request, headers: { 'x-payment': payment } };
  return readAnswer(await askForReceipt(place.baseUrl, paid), 200);
}

async function follow(
  place: Place,
  receiptId: string,
  say: (line: string) => void,
): Promise<z.infer<typeof status>> {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  let said = '';
  for (;;) {
    const response = await fetch(new URL(`/mint/status/${receiptId}?wait=5`, place.baseUrl));
    const now = status.parse(await response.json());
    const line =
      now.mint_status === 'pending'
        ? `pending${now.last_error ? `: ${now.last_error}` : ''}`
        : now.mint_status;
    if (line !== said) say(`proof     ${line} (${seconds()})`);
    said = line;
    if (now.mint_status !== 'pending') return now;
    if (performance.now() - started > PATIENCE_MS)
      throw new Error(`the proof of ${receiptId} took more than ${PATIENCE_MS / 1000} s`);
  }
}
