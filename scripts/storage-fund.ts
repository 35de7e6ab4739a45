import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { SystemInstruction, type Transaction } from '@solana/web3.js';
import { loadDotEnv, pointAtEmbeddedStack } from './environment';
import { rpc } from '@/server/chain/rpc';
import { env, SettingsError, type Env } from '@/server/env';
import { SOL_DECIMALS } from '@quittance/verify/chain/programs';
import { fromDecimal, toDecimal } from '@quittance/verify/money';
import { localSigner } from '@/server/keys';
import { fundAccount, reportTransfer } from '@/server/storage/irys';
import {
  answerText,
  SHORT_CALL,
  storageAddress,
  storageBalance,
  StorageUnavailable,
} from '@/server/storage/request-storage';
import { isSignature } from '@quittance/verify/wallets/base58';

const HELP = `npm run storage:fund -- --sol 0.1

  --sol N           SOL that the storage key transfers to our account at the storage node
  --yes             sends it; without it, the command only prints what it would spend
  --resume SIG      reports a transfer that was sent before, and sends none

The transfer is final after about half a minute, and the node then credits it. A transfer that arrived and is not
credited is not lost: run --resume until it is. The command never sends it twice.`;

const FLAGS = {
  sol: { type: 'string' },
  resume: { type: 'string' },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const MOST_POLLS = 60;
const PAUSE_MS = 2_000;
/** Network fee of the transfer. */
const FEE_LAMPORTS = 5_000n;

/** A refusal that needs one line and no stack trace. */
class Refusal extends Error {}

async function main(): Promise<void> {
  const flags = parseArgs({ options: FLAGS }).values;
  if (flags.help) return console.log(HELP);
  if ((flags.sol === undefined) === (flags.resume === undefined))
    throw new Refusal('use either --sol or --resume (--help explains them)');
  loadDotEnv();
  await pointAtEmbeddedStack();
  const settings = env();
  if (flags.resume !== undefined) return report(settings, signatureOf(flags.resume));
  const lamports = lamportsOf(flags.sol ?? '');
  const to = await announce(settings, lamports);
  if (!flags.yes) throw new Refusal('nothing was sent: add --yes to send it');
  await fund(settings, { lamports, to });
}

function signatureOf(text: string): string {
  if (isSignature(text)) return text;
  throw new Refusal(`${text} is not the signature of a transfer`);
}

function lamportsOf(text: string): bigint {
  const lamports = fromDecimal(text, SOL_DECIMALS);
  if (lamports === null || lamports <= 0n) throw new Refusal(`${text} is not an amount of SOL`);
  return lamports;
}

/**
 * Prints the planned transfer and its receiver, and checks the storage key's balance. Returns the
 * address of the storage node.
 */
async function announce(
  { storage, storageUploadUrl: uploadUrl }: Env,
  lamports: bigint,
): Promise<string> {
  const to = await storageAddress({ uploadUrl });
  const balance = await rpc().getBalance(storage.publicKey);
  console.log(`transfer  ${sol(lamports)} from ${storage.publicKey} to ${to}`);
  console.log(`holds     ${sol(balance)}`);
  if (balance < lamports + FEE_LAMPORTS)
    throw new Refusal(`the storage key lacks ${sol(lamports + FEE_LAMPORTS - balance)}`);
  return to;
}

/**
 * Sends the transfer, and reports it until the node has credited it. The signature is printed
 * before the transfer is sent, so that it can be found if this ends early.
 */
async function fund(settings: Env, o: { lamports: bigint; to: string }): Promise<void> {
  const latestBlockhash = await rpc().getLatestBlockhash();
  let sent: string | null = null;
  const send = async (transaction: Transaction, signature: string): Promise<void> => {
    requireTransfer(transaction, { ...o, from: settings.storage.publicKey });
    console.log(`sending   ${signature} (if this ends early: --resume ${signature})`);
    sent = signature;
    const wire = transaction.serialize().toString('base64');
    await rpc().sendTransaction(wire, { skipPreflight: false });
    await awaitState('final', () => finalityOf(signature));
  };
  const { isCredited } = await fundAccount({
    signer: localSigner(settings.storage),
    node: nodeOf(settings),
    lamports: o.lamports,
    latestBlockhash,
    send,
  }).catch((error: unknown) => {
    throw sent === null ? error : goOn(error, sent);
  });
  if (sent === null) throw new Error('no transfer was made');
  if (isCredited) await printBalance(settings);
  else await report(settings, sent);
}

/**
 * The node sends its address to the library again, so this checks that the signed address is the
 * printed one.
 */
function requireTransfer(
  transaction: Transaction,
  o: { lamports: bigint; to: string; from: string },
): void {
  const [instruction, ...others] = transaction.instructions;
  if (!instruction || others.length > 0)
    throw new Refusal('nothing was sent: there is not exactly one transfer');
  const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instruction);
  const isMeant =
    fromPubkey.toBase58() === o.from &&
    toPubkey.toBase58() === o.to &&
    BigInt(lamports) === o.lamports;
  if (!isMeant)
    throw new Refusal(`nothing was sent: the storage node named another address, ${toPubkey}`);
}

/** Reports the transfer to the node until it has credited it, and prints the balance. */
async function report(settings: Env, signature: string): Promise<void> {
  await awaitState('credited', () => creditOf(settings, signature)).catch((error: unknown) => {
    throw goOn(error, signature);
  });
  await printBalance(settings);
}

/** Prints the balance after a transfer that the node has credited. */
async function printBalance({ storageUploadUrl: uploadUrl, storage }: Env): Promise<void> {
  const asked = storageBalance({ uploadUrl, owner: storage.publicKey });
  const balance = await asked.catch((error: unknown) => {
    throw new Refusal(`the transfer is credited, but the balance is unknown: ${textOf(error)}`);
  });
  console.log(`balance   ${sol(balance)} at ${new URL(uploadUrl).host}`);
}

/** A transfer without an answer may have arrived. Continuing never sends a second one. */
function goOn(error: unknown, signature: string): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(
    `${textOf(error)}; to continue: npm run storage:fund -- --resume ${signature}`,
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Polls until the state is the wanted one, and prints each other state once. */
async function awaitState(wanted: string, read: () => Promise<string>): Promise<void> {
  let state = '';
  for (let polls = 0; polls < MOST_POLLS; polls += 1) {
    const seen = await read();
    if (seen === wanted) return;
    if (seen !== state) console.log(`waiting   ${seen}`);
    state = seen;
    await sleep(PAUSE_MS);
  }
  throw new Error(`not ${wanted} yet: ${state}`);
}

async function finalityOf(signature: string): Promise<string> {
  const [status] = await rpc().getSignatureStatuses([signature]);
  if (status?.err) throw new Refusal('the transfer failed on chain: nothing was paid');
  const finality = status?.confirmationStatus;
  if (finality === undefined) return 'no Solana node knows the transfer';
  return finality === 'finalized' ? 'final' : 'the transfer is not final';
}

async function creditOf(settings: Env, signature: string): Promise<string> {
  const finality = await finalityOf(signature);
  if (finality !== 'final') return finality;
  const answer = await reportTransfer({ node: nodeOf(settings), signature });
  if (!answer.ok) throw new StorageUnavailable(answer.message);
  const text = answerText(answer.body, settings.storageUploadUrl);
  if (answer.status === 200 || /already processed/i.test(text)) return 'credited';
  if (answer.status === 202) return 'the storage node waits for the chain';
  return `${answer.host} answered ${answer.status}: ${text}`;
}

function nodeOf({ storageUploadUrl: uploadUrl }: Env) {
  return { uploadUrl, ...SHORT_CALL };
}

function sol(lamports: bigint): string {
  return `${toDecimal(lamports, SOL_DECIMALS)} SOL`;
}

main().catch((error: unknown) => {
  const text = textOf(error);
  const isExpected = error instanceof Refusal || error instanceof SettingsError;
  console.error(isExpected ? text : `the storage account was not funded: ${text}`);
  process.exitCode = 1;
});
