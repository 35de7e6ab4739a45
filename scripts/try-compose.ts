import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { askForReceipt } from '@/devnet/client/ask-for-receipt';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken } from '@/devnet/client/pay-token';
import { makeWallet } from '@/devnet/client/wallet';
import { strikeInTurn } from './trial/strike-in-turn';
import { given } from './environment';
import { startTrial, type Trial } from './trial/start-trial';
import { trustCaddy } from './trial/trust-caddy';

const PATIENCE_MS = 180_000;
const status = z.object({ mint_status: z.string(), last_error: z.string().nullish() });

/**
 * `scripts/try-image.sh` runs this in a separate network and file system. It starts the services of
 * compose.yaml from Debian's programs and the image's folder, makes a receipt through Caddy, and
 * stops. With STRIKES=1 it kills and restarts each part in between, under load, and prints a table
 * of the clients' results.
 */
async function main(): Promise<void> {
  const [dir] = process.argv.slice(2);
  // Takes some minutes more.
  const strikes = given('STRIKES') === '1';
  if (dir === undefined) throw new Error('Run scripts/try-image.sh, which starts this.');
  const trial = await startTrial({ dir, say: (line) => console.log(line) });
  try {
    await trial.checkHealth();
    console.log('the HEALTHCHECK of both app processes holds');
    await trustCaddy(trial.caddyData, PATIENCE_MS);
    await awaitHealthy(trial);
    console.log(`GET /version: ${await (await fetch(`${trial.baseUrl}/version`)).text()}`);
    await makeReceipt(trial);
    if (strikes) await strikeInTurn(trial, (line) => console.log(line));
    const codes = await trial.stopApps();
    if (codes.some((code) => code !== 0)) throw new Error(`SIGTERM ended with ${codes.join()}`);
    console.log('SIGTERM ended both app processes with code 0');
  } finally {
    await trial.close();
  }
}

/** The health of the service through Caddy. */
async function awaitHealthy({ baseUrl }: Trial): Promise<void> {
  const started = performance.now();
  for (;;) {
    const answer = await fetch(`${baseUrl}/health`).catch((error: unknown) => error);
    if (answer instanceof Response && answer.status === 200)
      return console.log(`${baseUrl}/health is 200`);
    if (performance.now() - started > PATIENCE_MS)
      throw new Error(answer instanceof Response ? await answer.text() : String(answer));
    await sleep(500);
  }
}

/** Requests a free receipt of 0.25 USDC and waits until its NFT is on chain. */
async function makeReceipt({ baseUrl, chainUrl, dir }: Trial): Promise<void> {
  const [payer, seller] = [makeWallet(), makeWallet()];
  await fundWallet(chainUrl, { wallet: payer.address, sol: 1, token: 'USDC', amount: '1' });
  const payment = { from: payer, to: seller.address, token: 'USDC', amount: 250_000n } as const;
  const txSignature = await payToken(chainUrl, payment);
  const text = await askUntilTaken(baseUrl, { txSignature, wallet: payer });
  writeFileSync(join(dir, 'receipt.json'), text);
  const { receipt_id: id } = z.object({ receipt_id: z.string() }).parse(JSON.parse(text));
  const started = performance.now();
  for (;;) {
    const asked = await fetch(`${baseUrl}/mint/status/${id}?wait=5`);
    const now = status.parse(await asked.json());
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (now.mint_status === 'completed') return console.log(`${id} was minted in ${seconds} s`);
    if (now.mint_status === 'failed' || performance.now() - started > PATIENCE_MS)
      throw new Error(`${id} is ${now.mint_status} (${now.last_error ?? 'no error'})`);
  }
}

/**
 * The answer of POST /mint. A 503 means that nothing was charged and the same request may be
 * repeated.
 */
async function askUntilTaken(
  baseUrl: string,
  request: Parameters<typeof askForReceipt>[1],
): Promise<string> {
  for (let refused = 0; ; refused += 1) {
    const response = await askForReceipt(baseUrl, request);
    const text = await response.text();
    if (response.status === 200) {
      console.log(`POST /mint is 200, after ${refused} answers of 503`);
      return text;
    }
    if (response.status !== 503 || refused >= 10)
      throw new Error(`POST /mint answers ${response.status}: ${text}`);
    await sleep(1_000);
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
