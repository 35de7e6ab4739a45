import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { z } from 'zod';
import { loadDotEnv, pointAtEmbeddedStack } from '@/devnet/settings';
import { rpc } from '@/server/chain/rpc';
import { env, SettingsError, type Env } from '@/server/env';
import { fromDecimal, toDecimal } from '@/server/money';
import { storageBalance } from '@/server/storage/read-storage-account';

const HELP = `npm run storage:fund -- --sol 0.1

  --sol N           what the storage key gives to our account at the storage node
  --resume SIG      makes no transfer, reports one that was made before
  --yes             asks nothing: without it, what would be spent is printed and nothing is

The transfer is final after half a minute; the node then credits it. Money that arrived and was not credited is not
lost: --resume reports it as often as it takes, and it is never paid twice.`;

const FLAGS = {
  sol: { type: 'string' },
  resume: { type: 'string' },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const SOL_DECIMALS = 9;
const LOOKS = 60;
const PAUSE_MS = 2_000;
/** Network fee of the transfer. */
const FEE_LAMPORTS = 5_000n;

const info = z.object({ addresses: z.object({ solana: z.string() }) });

/** A refusal that needs one line and no stack. */
class Refusal extends Error {}

async function main(): Promise<void> {
  const flags = parseArgs({ options: FLAGS }).values;
  if (flags.help) return console.log(HELP);
  if ((flags.sol === undefined) === (flags.resume === undefined)) throw new Refusal(HELP);
  loadDotEnv();
  pointAtEmbeddedStack();
  const settings = env();
  const signature =
    flags.resume ??
    (await transfer(settings, {
      lamports: lamportsOf(flags.sol ?? ''),
      isMeant: flags.yes,
    }));
  await report(settings, signature);
  const { storageUploadUrl: uploadUrl, storage } = settings;
  const balance = await storageBalance({ uploadUrl, owner: storage.publicKey });
  console.log(`balance   ${toDecimal(balance, SOL_DECIMALS)} SOL at ${new URL(uploadUrl).host}`);
}

function lamportsOf(text: string): bigint {
  const lamports = fromDecimal(text, SOL_DECIMALS);
  if (lamports === null || lamports <= 0n) throw new Refusal(`${text} is no sum of SOL`);
  return lamports;
}

/** Signs, prints the signature, then sends: whatever ends this early, the transfer can be found again. */
async function transfer(settings: Env, o: { lamports: bigint; isMeant: boolean }): Promise<string> {
  const { storage, storageUploadUrl } = settings;
  const answer = await fetch(`${storageUploadUrl}/info`);
  const to = info.parse(await answer.json()).addresses.solana;
  const balance = await rpc().getBalance(storage.publicKey);
  const sol = (lamports: bigint) => `${toDecimal(lamports, SOL_DECIMALS)} SOL`;
  console.log(`transfer  ${sol(o.lamports)} from ${storage.publicKey} to ${to}`);
  console.log(`holds     ${sol(balance)}`);
  if (balance < o.lamports + FEE_LAMPORTS)
    throw new Refusal(`the storage key lacks ${sol(o.lamports + FEE_LAMPORTS - balance)}`);
  if (!o.isMeant) throw new Refusal('nothing was sent: add --yes to send it');
  const { blockhash } = await rpc().getLatestBlockhash();
  const keypair = Keypair.fromSecretKey(storage.secret);
  const transaction = new Transaction({
    feePayer: keypair.publicKey,
    recentBlockhash: blockhash,
  }).add(
    SystemProgram.transfer({
      fromPubkey: keypair.publicKey,
      toPubkey: new PublicKey(to),
      lamports: o.lamports,
    }),
  );
  transaction.sign(keypair);
  const signature = bs58.encode(transaction.signature ?? new Uint8Array());
  console.log(`sending   ${signature} (should this end early: --resume ${signature})`);
  const wire = transaction.serialize().toString('base64');
  await rpc().sendTransaction(wire, { skipPreflight: false });
  return signature;
}

/** Waits for finality, then tells the node of the transfer until it has credited it. */
async function report({ storageUploadUrl }: Env, signature: string): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const [status] = await rpc().getSignatureStatuses([signature]);
    if (status?.err) throw new Refusal('the transfer failed on chain: nothing was paid');
    if (status?.confirmationStatus === 'finalized') {
      const answer = await fetch(`${storageUploadUrl}/account/balance/solana`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ tx_id: signature }),
      });
      const text = (await answer.text()).slice(0, 200);
      if (answer.status === 200 || /already processed/i.test(text)) return;
      if (answer.status !== 202) console.log(`the node answers ${answer.status}: ${text}`);
    }
    await sleep(PAUSE_MS);
  }
  throw new Refusal(`not credited yet: npm run storage:fund -- --resume ${signature}`);
}

main().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  const isExpected = error instanceof Refusal || error instanceof SettingsError;
  console.error(isExpected ? text : `the storage account was not funded: ${text}`);
  process.exitCode = 1;
});
