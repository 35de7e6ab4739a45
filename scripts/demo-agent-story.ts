import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { z } from 'zod';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { checkStatement } from '@quittance/verify/statements/check-statement';
import { gatherStatement } from '@/server/statements/gather-statement';
import { statementItem } from '@quittance/verify/statements/statement-rows';
import type { DemoPlace } from './run-demo';

const TRANSFERS = 12;
/** The longest wait until the chain reports the payments as final. */
const PATIENCE_MS = 120_000;

const statement = z.object({
  statement_id: z.string(),
  mint_status: z.string(),
  nft_mint: z.string().nullable(),
  metadata_uri: z.url(),
  summary: z.object({ tx_count: z.number(), total_usd: z.number() }),
  transactions: z.array(statementItem),
});
const offer = z.object({ tx_count: z.number(), pricing_tier: z.string() });

/**
 * An agent that holds only USDC from its customers, and no SOL. It asks for a statement, signs the
 * payment that the 402 asks for, and checks the result. Resolves to whether every line of the check
 * passed.
 */
export async function runAgentDemo(
  place: DemoPlace,
  say: (line: string) => void,
): Promise<boolean> {
  const agent = makeWallet();
  await earn(place, agent);
  say(`agent     ${agent.address}, paid ${TRANSFERS} times in USDC; it holds no SOL`);
  const { request, asked } = await awaitFinal(place, agent);
  say(`402       ${asked.tx_count} transactions found, ${asked.pricing_tier} for a statement`);

  const buy = await payingFetch(place, agent);
  const started = performance.now();
  const bought = await buy(new URL('/statement', place.baseUrl), post(request));
  say(`paid      by one signature; answered ${bought.status}`);
  const id = z.object({ statement_id: z.string() }).parse(await bought.json()).statement_id;
  const whole = await follow(place, id);
  say(`statement ${id} after ${((performance.now() - started) / 1000).toFixed(1)} s`);

  say('');
  for (const line of table(whole.transactions)) say(`  ${line}`);
  say(`  ${whole.summary.tx_count} payments, ${whole.summary.total_usd} USD`);
  say('');
  say('Checked from outside, with the issuer document, the chain and the storage gateway:');
  const evidence = await gatherStatement({ statementId: id, ...place });
  const lines = checkStatement(evidence);
  for (const line of lines) say(`  ${line.outcome.padEnd(7)}  ${line.title}`);

  const image = join(place.outDir, `${id}.png`);
  await writeFile(image, evidence.image.bytes);
  await writeFile(join(place.outDir, `${id}.csv`), evidence.csv);
  say('');
  say(`statement ${place.baseUrl}/statement/${id}`);
  say(`metadata  ${whole.metadata_uri}`);
  say(`image     ${image}`);
  say(`NFT       ${whole.nft_mint ?? ''}`);
  return verdictOf(lines) === 'genuine';
}

async function earn(place: DemoPlace, agent: Wallet): Promise<void> {
  const customer = makeWallet();
  const usdc = { wallet: customer.address, sol: 1, token: 'USDC', amount: '100' };
  await fundWallet(place.rpcUrl, usdc);
  for (let n = 1; n <= TRANSFERS; n += 1)
    await payToken(place.rpcUrl, {
      from: customer,
      to: agent.address,
      token: 'USDC',
      amount: BigInt(n) * 505_000n,
    });
}

/**
 * Asks without paying until the statement would list all payments, because offers list final ones
 * only.
 */
async function awaitFinal(place: DemoPlace, agent: Wallet) {
  const end = performance.now() + PATIENCE_MS;
  const request = {
    wallet_address: agent.address,
    period_start: new Date(Date.now() - 3_600_000).toISOString(),
    period_end: new Date(Date.now() + 3_600_000).toISOString(),
    output_formats: ['json', 'csv'],
  };
  for (;;) {
    const response = await fetch(new URL('/statement', place.baseUrl), post(request));
    const body: unknown = await response.json();
    const asked = response.status === 402 ? offer.parse(body) : null;
    if (asked?.tx_count === TRANSFERS) return { request, asked };
    if (performance.now() > end)
      throw new Error(`no offer for ${TRANSFERS} payments: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** A fetch that pays the requested amount, up to the largest price of a statement. */
async function payingFetch(place: DemoPlace, agent: Wallet): Promise<typeof fetch> {
  const signer = await createKeyPairSignerFromBytes(agent.keypair.secretKey);
  const scheme = new ExactSvmScheme(signer, { rpcUrl: place.rpcUrl });
  const client = new x402Client().register('solana:*', scheme);
  client.setSpendControls({ maxAmountPerPayment: '$5' });
  return wrapFetchWithPayment(fetch, client);
}

async function follow(place: DemoPlace, id: string): Promise<z.infer<typeof statement>> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(new URL(`/statement/${id}?wait=10`, place.baseUrl));
    const now = statement.parse(await response.json());
    if (now.mint_status === 'completed') return now;
    if (now.mint_status === 'failed' || performance.now() > end)
      throw new Error(`the NFT of ${id} is ${now.mint_status}`);
  }
}

function post(body: object): RequestInit {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

function table(rows: readonly z.infer<typeof statementItem>[]): string[] {
  const cells = rows.map((row) => [
    row.block_time.slice(0, 19).replace('T', ' '),
    row.role === 'payer' ? 'to' : 'from',
    `${row.counterparty.slice(0, 6)}…${row.counterparty.slice(-6)}`,
    String(row.amount).padStart(9),
    row.token,
    `$${row.usd_amount}`.padStart(8),
  ]);
  return [
    'time (UTC)           with                   amount         USD',
    ...cells.map((line) => line.join('  ')),
  ];
}
