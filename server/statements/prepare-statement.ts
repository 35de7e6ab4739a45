import type { ServiceContext } from '@/server/context';
import { dayOf } from '@/server/rates/day';
import { signFiles, type SignedFiles } from '@/server/storage/sign-files';
import { lastInstant } from './choose-period';
import { describeStatement } from './describe-statement';
import { drawStatement } from './draw-statement';
import type { StatementList } from './frozen-list';
import { leafOf, rootOf } from '@quittance/verify/statements/merkle';
import { presentRow } from '@quittance/verify/statements/present-row';
import type { StatementFacts } from './statement-facts';
import type { StatementRow } from '@quittance/verify/statements/statement-row';
import { sumRows } from '@quittance/verify/statements/sum-rows';
import { csvSha256, writeCsv } from '@quittance/verify/statements/write-csv';

/** A statement whose picture and metadata are signed, so that their addresses are known; not written yet. */
export type PreparedStatement = SignedFiles & {
  facts: StatementFacts;
  list: StatementList;
  rows: StatementRow[];
};

/** Sums, hashes, draws, describes and signs a statement. Touches neither network nor database. */
export async function prepareStatement(
  service: Pick<ServiceContext, 'env' | 'ids' | 'clock'>,
  o: { wallet: string; list: StatementList; rows: StatementRow[] },
): Promise<PreparedStatement> {
  const facts = gatherFacts(service, o);
  const files = signFiles(service.env, {
    kind: 'statement',
    id: facts.statementId,
    image: await drawStatement(facts),
    describe: (imageUri) => describeStatement(facts, imageUri),
  });
  return { facts, list: o.list, rows: o.rows, ...files };
}

function gatherFacts(
  { env, ids, clock }: Pick<ServiceContext, 'env' | 'ids' | 'clock'>,
  o: { wallet: string; list: StatementList; rows: StatementRow[] },
): StatementFacts {
  const { wallet, list, rows } = o;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new RangeError('a statement has at least one row');
  const { period } = list;
  return {
    statementId: ids.statementId(),
    issuedAt: clock.now(),
    network: env.network,
    publicUrl: env.publicUrl,
    wallet,
    mode: list.mode,
    firstDay: dayOf(period?.from ?? first.blockTime),
    lastDay: dayOf(period ? lastInstant(period) : last.blockTime),
    complete: list.complete,
    totals: sumRows(rows),
    csvSha256: csvSha256(writeCsv(wallet, rows)),
    merkleRoot: rootOf(rows.map((row) => leafOf(presentRow(row)))),
  };
}
