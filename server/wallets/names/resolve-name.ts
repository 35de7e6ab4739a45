import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { askEach, twoAlike } from '@/server/chain/node-statuses';
import type { ServiceContext } from '@/server/context';
import { databaseNow } from '@/server/db/database-clock';
import { present, type NameAnswer, type NameNode } from './name-answer';
import { readNameRegistry } from './name-registry';
import { readRecordService } from './record-service';

/** The account of the registry's root, without which a network has no names (ROOT_DOMAIN_ACCOUNT of its library). */
export const NAME_ROOT = '58PwtjSDuFHuUkYjH9BYnnQKHfwo9reZhC2zMJv9JPkx';
/** The program that the root and all names under it belong to (NAME_PROGRAM_ID, same source). */
export const NAME_PROGRAM = 'namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX';

/**
 * Names that are looked up: one label of lower-case ASCII letters, digits, `-` and `_` under `.sol` or `.sns`. Any
 * other letter can look like one of these. A label under another one belongs to the owner of that one.
 */
export const NAME = /^([a-z0-9_-]{1,63})\.(sol|sns)$/;

type Asked = { label: string; suffix: 'sol' | 'sns'; now: Date };

/**
 * The wallet behind a name, read each time, because names change hands. `.sns` is the registry of
 * Solana Name Service, which was called `.sol` before. `.sol` now belongs to the Record Service. A
 * `.sol` name counts only where both name the same wallet. Two nodes must agree, if there are two.
 * If they contradict each other, the answer is `unsure`. Throws RpcUnavailable when fewer answer,
 * and RangeError for a text that is not a {@link NAME}.
 */
export async function resolveName(
  { rpc, db, env }: Pick<ServiceContext, 'rpc' | 'db' | 'env'>,
  name: string,
): Promise<NameAnswer> {
  const [, label, suffix] = NAME.exec(name) ?? [];
  if (label === undefined) throw new RangeError(`${name} is not a name that the service resolves`);
  // The registries of devnet have other roots, and anybody can take any name there.
  if (env.network === 'devnet') return { state: 'no_names' };
  const asked: Asked = {
    label,
    suffix: suffix === 'sol' ? 'sol' : 'sns',
    now: await databaseNow(db),
  };
  if (rpc.nodes === 1) return askNode(rpc, asked);
  const nodes = askEach(rpc, (node) => askNode(node, asked));
  const { alike, isContradicted } = await twoAlike(nodes, (answer) =>
    answer === null ? null : JSON.stringify(answer),
  );
  if (alike) return alike;
  if (isContradicted) return { state: 'unsure', why: 'nodes_differ' };
  throw new RpcUnavailable(`No two nodes show what ${name} names`);
}

async function askNode(node: NameNode, { label, suffix, now }: Asked): Promise<NameAnswer> {
  const { accounts } = await node.getAccounts([NAME_ROOT]);
  if (present(accounts[0])?.owner !== NAME_PROGRAM) return { state: 'no_names' };
  if (suffix === 'sns') return readNameRegistry(node, label);
  const [kept, former] = await Promise.all([
    readRecordService(node, { label, now }),
    readNameRegistry(node, label),
  ]);
  if (kept.state === 'unsure') return kept;
  if (former.state === 'unsure') return former;
  const isSame =
    kept.state === 'found' && former.state === 'found'
      ? kept.address === former.address
      : kept.state === former.state;
  return isSame ? kept : { state: 'unsure', why: 'registries_differ' };
}
