import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { loadDotEnv, pointAtEmbeddedStack } from './environment';
import { rpc } from '@/server/chain/rpc';
import { env, SettingsError, type Env } from '@/server/env';
import { fromDecimal, toDecimal } from '@quittance/verify/money';
import { creditTransfer, storageAddress, storageBalance } from '@/server/storage/request-storage';
import { isSignature } from '@quittance/verify/wallets/base58';

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

/** A refusal that needs one line and no stack. */
class Refusal extends Error {}

async function main(): Promise<void> {
  const flags = parseArgs({ options: FLAGS }).values;
  if (flags.help) return console.log(HELP);
  if ((flags.sol === undefined) === (flags.resume === undefined))
    throw new Refusal('give one of --sol and --resume (--help tells more)');
  loadDotEnv();
  await pointAtEmbeddedStack();
  const settings = env();
  if (flags.resume !== undefined) return report(settings, signatureOf(flags.resume));
  const lamports = lamportsOf(flags.sol ?? '');
  const { signature, wire } = await sign(settings, { lamports, isMeant: flags.yes });
  await report(settings, signature, wire);
}

function signatureOf(text: string): string {
  if (isSignature(text)) return text;
  throw new Refusal(`${text} is no signature of a transfer`);
}

function lamportsOf(text: string): bigint {
  const lamports = fromDecimal(text, SOL_DECIMALS);
  if (lamports === null || lamports <= 0n) throw new Refusal(`${text} is no sum of SOL`);
  return lamports;
}

/** Signs and prints the signature, so that the transfer can be found again whatever ends this early. */
async function sign(
  { storage, storageUploadUrl: uploadUrl }: Env,
  o: { lamports: bigint; isMeant: boolean },
): Promise<{ signature: string; wire: string }> {
  const to = await storageAddress({ uploadUrl });
  const balance = await rpc().getBalance(storage.publicKey);
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
  return { signature, wire: transaction.serialize().toString('base64') };
}

/** Sends what was signed, if anything, and tells the node of it until it is credited; prints the balance. */
async function report(settings: Env, signature: string, wire?: string): Promise<void> {
  const { storageUploadUrl: uploadUrl, storage } = settings;
  try {
    if (wire !== undefined) await rpc().sendTransaction(wire, { skipPreflight: false });
    await awaitCredit(uploadUrl, signature);
    const balance = await storageBalance({ uploadUrl, owner: storage.publicKey });
    console.log(`balance   ${sol(balance)} at ${new URL(uploadUrl).host}`);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const text = error instanceof Error ? error.message : String(error);
    // What got no answer may have arrived all the same: another transfer might be a second one.
    throw new Refusal(`${text}; to go on: npm run storage:fund -- --resume ${signature}`);
  }
}

/** Waits for finality, then tells the node of the transfer until it has credited it. */
async function awaitCredit(uploadUrl: string, signature: string): Promise<void> {
  let state = '';
  for (let look = 0; look < LOOKS; look += 1) {
    const [status] = await rpc().getSignatureStatuses([signature]);
    if (status?.err) throw new Refusal('the transfer failed on chain: nothing was paid');
    const seen = await lookAt({ uploadUrl, signature, finality: status?.confirmationStatus });
    if (seen === 'credited') return;
    if (seen !== state) console.log(`waiting   ${seen}`);
    state = seen;
    await sleep(PAUSE_MS);
  }
  throw new Error(`not credited yet: ${state}`);
}

async function lookAt(o: {
  uploadUrl: string;
  signature: string;
  finality: string | undefined;
}): Promise<string> {
  if (o.finality === undefined) return 'no Solana node knows the transfer';
  if (o.finality !== 'finalized') return 'the transfer is not final';
  const credited = await creditTransfer(o);
  if (credited.state === 'pending') return 'the storage node waits for the chain';
  return credited.state === 'refused' ? credited.message : 'credited';
}

function sol(lamports: bigint): string {
  return `${toDecimal(lamports, SOL_DECIMALS)} SOL`;
}

main().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  const isExpected = error instanceof Refusal || error instanceof SettingsError;
  console.error(isExpected ? text : `the storage account was not funded: ${text}`);
  process.exitCode = 1;
});
