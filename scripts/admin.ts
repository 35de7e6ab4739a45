import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { loadDotEnv, pointAtEmbeddedStack } from './environment';
import { env, SettingsError } from '@/server/env';
import { makeSecretKey, publicKeyOf } from '@/server/keys';
import { ADMIN_ROLES, parseOperators, tokenHash } from '@/server/admin-tokens';
import { ensureGenerated } from './ensure-generated';
import { printable } from '@quittance/verify/cli/print-report';

const HELP = `npm run admin -- <command>

  list [--status failed] [--cursor C]   mints, newest first
  show <receipt id>                     the full record of a mint
  retry <receipt id>                    re-queues a failed mint
  retry-all                             re-queues all failed mints
  payment <signature>                   the full record of a payment
  held [--cursor C]                     waiting mints and payments, and money at PAY_TO that was never presented
  release [<receipt id> ...]            re-queues waiting mints now
  undecided                             transactions that the nodes can prove neither landed nor expired
  close <signature> <what you checked>  records that one never landed, and closes it
  hold <payment>, unhold <payment>      reserves a payment that bought nothing for its refund, or releases it
  refunded <payment> <refund>           records a refund that is on chain: whole, in part, or of a surplus
  withdrawal <transaction> [<note>]     records a transfer out of PAY_TO as the operator's withdrawal
  reconcile                             reconciles the books of the day: incoming, used and open payments
  forget <wallet>                       deletes the recorded countries of a payer, before their retention ends
  hide <receipt id or wallet> <why>     shows a note instead of a receipt's labels or a wallet's business name
  unhide <receipt id or wallet> <why>   shows them again
  rebuild [--pay-to <wallet>]           after an old backup: restores records from the chain. Pass --pay-to for a
                                        wallet that PAY_TO named between the backup and now. May be run again at
                                        any time. --accept-failed lets the service continue without failed rows

  revoke <public key> [--from <time>]   for a stolen minter or storage key: signatures after that time (default:
                                        now) do not count, and no process starts with it. Works directly on the
                                        database. Stop the service first
  new-key <file>                        makes a key in a new file that only its owner can read
  new-token <name> <roles>              makes a token for an operator, and the entry for ADMIN_TOKENS

  --url URL   the service (PUBLIC_URL by default); the token is ADMIN_OPERATOR_TOKEN, else ADMIN_TOKEN
  --as NAME   your name in the audit log for rebuild and revoke, which need no token`;

const FLAGS = {
  status: { type: 'string' },
  cursor: { type: 'string' },
  url: { type: 'string' },
  'pay-to': { type: 'string', multiple: true },
  from: { type: 'string' },
  as: { type: 'string' },
  'accept-failed': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** A refusal that needs one line and no stack trace. */
class Refusal extends Error {}

type Call = { method: 'GET' | 'POST'; path: string; body?: unknown };
type Flags = { status?: string | undefined; cursor?: string | undefined };

/** The request behind a command. Throws {@link Refusal} for an incomplete command. */
function callOf(command: string | undefined, words: string[], flags: Flags): Call {
  const word = (index: number, name: string): string => {
    const value = words[index];
    if (value === undefined) throw new Refusal(`${command ?? ''} needs ${name}\n\n${HELP}`);
    return encodeURIComponent(value);
  };
  const post = (path: string, body: unknown = {}): Call => ({ method: 'POST', path, body });
  const get = (path: string): Call => ({ method: 'GET', path });
  switch (command) {
    case 'list': {
      const query = new URLSearchParams();
      if (flags.status) query.set('status', flags.status);
      if (flags.cursor) query.set('cursor', flags.cursor);
      return get(`/admin/mints?${query.toString()}`);
    }
    case 'show':
      return get(`/admin/mints/${word(0, 'a receipt id')}`);
    case 'retry':
      return post(`/admin/mints/${word(0, 'a receipt id')}/retry`);
    case 'retry-all':
      return post('/admin/mints/retry');
    case 'payment':
      return get(`/admin/payments/${word(0, 'a signature')}`);
    case 'held':
      return get(
        flags.cursor
          ? `/admin/held?${new URLSearchParams({ cursor: flags.cursor })}`
          : '/admin/held',
      );
    case 'release':
      return post('/admin/held/release', words.length > 0 ? { receipt_ids: words } : {});
    case 'undecided':
      return get('/admin/undecided');
    case 'close':
      word(1, 'a text with the checks that you made');
      return post('/admin/undecided/close', {
        signature: word(0, 'a signature'),
        checked: words.slice(1).join(' '),
      });
    case 'hold':
    case 'unhold':
      return post('/admin/refunds', {
        payment_signature: word(0, 'the signature of the payment'),
        hold: command === 'hold',
      });
    case 'refunded':
      return post('/admin/refunds', {
        payment_signature: word(0, 'the signature of the payment'),
        refund_signature: word(1, 'the signature of the refund'),
      });
    case 'withdrawal':
      return post('/admin/withdrawals', {
        signature: word(0, 'the signature of the transaction'),
        ...(words.length > 1 ? { note: words.slice(1).join(' ') } : {}),
      });
    case 'reconcile':
      return post('/admin/reconciliation');
    case 'forget':
      return post('/admin/forget', { wallet_address: word(0, 'a wallet address') });
    case 'hide':
    case 'unhide': {
      word(1, 'a text that says why');
      const subject = word(0, 'a receipt id or a wallet address');
      return post('/admin/labels/hide', {
        [subject.length === RECEIPT_ID_LENGTH ? 'receipt_id' : 'wallet_address']: subject,
        hidden: command === 'hide',
        reason: words.slice(1).join(' '),
      });
    }
    default:
      throw new Refusal(HELP);
  }
}

/** A wallet address is far longer. */
const RECEIPT_ID_LENGTH = 12;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: FLAGS, allowPositionals: true });
  const [command, ...words] = positionals;
  if (values.help || command === 'help') {
    console.log(HELP);
    return 0;
  }
  if (command === 'rebuild') {
    ensureGenerated();
    // Works on database and chain directly, because it may run for hours.
    const { runRebuild } = await import('./rebuild');
    return runRebuild({
      payTo: values['pay-to'] ?? [],
      acceptFailed: values['accept-failed'],
      actor: actorOf(values.as),
    });
  }
  if (command === 'revoke')
    return revoke(words[0], { from: values.from, actor: actorOf(values.as) });
  if (command === 'new-key') return makeKeyFile(words[0]);
  if (command === 'new-token') return makeToken(words[0], words[1]);
  const call = callOf(command, words, values);
  loadDotEnv();
  ensureGenerated();
  await pointAtEmbeddedStack();
  const { adminToken, operatorToken, publicUrl } = env();
  const token = operatorToken ?? adminToken;
  if (token === null)
    throw new Refusal(
      'Neither ADMIN_OPERATOR_TOKEN nor ADMIN_TOKEN is set: there is no token to show',
    );
  const base = (values.url ?? publicUrl).replace(/\/+$/, '');
  const response = await fetch(base + call.path, {
    method: call.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  }).catch((cause: unknown) => {
    throw new Refusal(`${base} does not answer`, { cause });
  });
  const answer = z.record(z.string(), z.unknown()).parse(await response.json());
  for (const line of JSON.stringify(answer, null, 2).split('\n')) console.log(printable(line));
  return response.ok ? 0 : 1;
}

/** The actor in the audit log for direct work on the database. */
function actorOf(name: string | undefined): string {
  return name === undefined ? 'admin' : `admin:${name}`;
}

/** The token is printed once and stored nowhere. */
function makeToken(name: string | undefined, roles: string | undefined): number {
  const token = randomBytes(32).toString('base64url');
  const entry = `${name ?? ''}:${roles ?? ''}:${tokenHash(token)}`;
  if ('fault' in parseOperators(entry))
    throw new Refusal(
      `new-token needs a name (small letters, digits, hyphens) and roles: ${ADMIN_ROLES.join(', ')}, with + between`,
    );
  console.log(`token for ${name ?? ''}, shown only here: ${token}`);
  console.log(`entry for ADMIN_TOKENS: ${entry}`);
  return 0;
}

async function revoke(
  publicKey: string | undefined,
  { from, actor }: { from: string | undefined; actor: string },
): Promise<number> {
  if (publicKey === undefined) throw new Refusal(`revoke needs a public key\n\n${HELP}`);
  if (from !== undefined && !z.iso.datetime({ offset: true }).safeParse(from).success)
    throw new Refusal('--from must be a time such as 2026-11-29T08:07:00Z');
  ensureGenerated();
  const { runRevoke } = await import('./revoke');
  return runRevoke({ publicKey, from: from === undefined ? null : new Date(from), actor });
}

/** A secret key in the format of `solana-keygen`. Its public key is printed. */
function makeKeyFile(file: string | undefined): number {
  if (file === undefined) throw new Refusal(`new-key needs a file\n\n${HELP}`);
  const secret = makeSecretKey();
  try {
    writeFileSync(file, JSON.stringify([...secret]), { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw new Refusal(`${file} cannot be created, or exists already`, { cause });
  }
  console.log(publicKeyOf(secret));
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const known =
    error instanceof Refusal ||
    error instanceof SettingsError ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  console.error(known ? error.message : error);
  process.exitCode = 2;
}
