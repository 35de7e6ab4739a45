import { ServiceError } from '@/server/errors';
import { log } from '@/server/log';
import type { MintEvidence } from '@quittance/verify/receipts/check-evidence';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { sinceMint } from '@quittance/verify/receipts/check-place';
import { checkIssuer } from '@quittance/verify/receipts/check-issuer';
import { type CheckLine, worstOf } from '@quittance/verify/receipts/check-line';
import { areLegsStated } from '@quittance/verify/chain/transfer';
import type { RowPayments } from '@quittance/verify/statements/check-rows';
import { checkStatement } from '@quittance/verify/statements/check-statement';
import { findReceipt } from '@/server/receipts/find-receipt';
import { collectEvidence, ownPlaces } from '@/server/receipts/gather-evidence';
import { collectStatement } from '@/server/statements/gather-statement';
import { findStatement } from '@/server/statements/find-statement';
import { presentStatement } from '../statements/present-statement';
import { keepChecks } from './keep-checks';
import { presentReceipt } from './present-receipt';
import type { CheckBody } from '../web-schemas';
import { readIssuer } from './read-proof';
import type { Call } from '../call';

const NOT_YET: CheckBody = {
  state: 'not_yet',
  checked_at: null,
  verdict: null,
  lines: [],
  since_mint: null,
  partial: null,
};

const keep = keepChecks();

/**
 * Checks a receipt as anyone can, from what the chain and the storage give now. The four lines sum up the
 * check's own, which stand behind them. A receipt without proof on chain yet gives no lines.
 */
export async function checkReceiptNow(call: Call<{ receipt_id: string }>): Promise<CheckBody> {
  const {
    input: { receipt_id: id },
  } = call;
  const found = await findReceipt(call.service.db, id);
  if (found.mint.status !== 'completed') return NOT_YET;
  return keep(id, () =>
    look(call, {
      id,
      groups: RECEIPT_GROUPS,
      gather: () => gatherReceipt(call, presentReceipt(found, call.service.env)),
    }),
  );
}

/** The same of a statement, of which the rows take the place of the payment. */
export async function checkStatementNow(call: Call<{ statement_id: string }>): Promise<CheckBody> {
  const {
    input: { statement_id: id },
  } = call;
  const found = await findStatement(call.service.db, id);
  if (found.mint.status !== 'completed') return NOT_YET;
  return keep(id, () =>
    look(call, {
      id,
      groups: STATEMENT_GROUPS,
      gather: async () => gatherStated(call, await presentStatement(call.service, found)),
    }),
  );
}

/** The gathered evidence, and the lines of its check. */
type Judged = { evidence: MintEvidence; lines: CheckLine[]; partial: CheckBody['partial'] };

async function look(
  call: Call,
  o: { id: string; groups: readonly Group[]; gather: () => Promise<Judged> },
): Promise<CheckBody> {
  try {
    const { evidence, lines: judged, partial } = await o.gather();
    const { issuer } = evidence;
    const own = checkIssuer({ issuer: { raw: issuer, document: issuer }, known: null, evidence });
    const lines = [...own.lines, ...judged];
    return {
      state: 'checked',
      checked_at: call.service.clock.now().toISOString(),
      verdict: verdictOf(lines),
      since_mint: sinceMint(lines),
      partial,
      lines: o.groups.map((group) => sumUp(group, lines)),
    };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    log().warn({ event: 'check_not_possible', id: o.id, err: error });
    throw new ServiceError(
      'evidence_unavailable',
      'The check could not be made, because the storage gave no usable answer. This says nothing about the document. Check again in a minute.',
      { cause: error },
    );
  }
}

async function gatherReceipt(
  call: Call,
  receipt: ReturnType<typeof presentReceipt>,
): Promise<Judged> {
  const evidence = await collectEvidence({
    receiptId: receipt.receipt_id,
    issuer: await readIssuer(call),
    receipt: { ...receipt, ...leafOnRecord(receipt, receipt.asset_id) },
    ...placesOf(call),
  });
  return { evidence, lines: checkReceipt(evidence), partial: null };
}

async function gatherStated(
  call: Call,
  statement: Awaited<ReturnType<typeof presentStatement>>,
): Promise<Judged> {
  const { asset_id: nft_mint, ...leaf } = leafOnRecord(statement, statement.nft_mint);
  const evidence = await collectStatement({
    statementId: statement.statement_id,
    issuer: await readIssuer(call),
    told: { ...statement, ...leaf, nft_mint },
    mostLookedUp: MOST_LOOKED_UP,
    ...placesOf(call),
  });
  const lines = checkStatement(evidence);
  return { evidence, lines, partial: partOf(evidence.payments, statement.summary.tx_count, lines) };
}

/**
 * How many of the `of` payments of a statement were looked up, where the only thing left open is that it has more.
 * Null where all were, and where another check may find out more because something gave no answer.
 */
export function partOf(
  payments: RowPayments,
  of: number,
  lines: readonly Pick<CheckLine, 'id' | 'outcome'>[],
): CheckBody['partial'] {
  if (payments === 'none') return null;
  const answered = [...payments.values()].every((payment) => areLegsStated(payment));
  const isOpen = lines.some(({ id, outcome }) => !isRows(id) && outcome === 'unknown');
  return payments.size < of && answered && !isOpen ? { checked: payments.size, of } : null;
}

/** Transactions of a statement that a page asks the chain for; the verifier asks for all. */
const MOST_LOOKED_UP = 100;

function placesOf({ service: { env, rpc } }: Call) {
  return { ...ownPlaces({ ...env, rpc }), gatewayUrl: env.storageGatewayUrl };
}

function leafOnRecord(
  o: { mint_signature: string | null; tree: string | null },
  asset_id: string | null,
) {
  const { mint_signature, tree } = o;
  if (mint_signature === null || asset_id === null || tree === null)
    throw new Error('a completed mint has no leaf on record');
  return { mint_signature, asset_id, tree };
}

type Group = { id: CheckBody['lines'][number]['id']; has: (id: string) => boolean };

const starts =
  (...words: string[]) =>
  (id: string) =>
    words.some((word) => id.startsWith(word));
const isPayment = starts('fact_', 'payment_', 'choice_', 'token_', 'value_');
const isStorage = starts(
  'metadata_readable',
  'metadata_by_template',
  'metadata_remade',
  'labels_',
  'metadata_signed',
  'image_',
  'storage_',
  'signed_',
  'files_',
  'picture_',
);
const isTree = starts('leaf_', 'root_', 'tree_', 'holder_');

const isRows = starts('rows_', 'totals', 'merkle_', 'csv_');
/** The groups that every check sums up, with the one group of its own. */
const groupsWith = (own: Group): readonly Group[] => [
  own,
  { id: 'storage', has: isStorage },
  { id: 'nft', has: (id) => !own.has(id) && !isStorage(id) && !isTree(id) },
  { id: 'tree', has: isTree },
];
const RECEIPT_GROUPS = groupsWith({ id: 'payment', has: isPayment });
const STATEMENT_GROUPS = groupsWith({ id: 'rows', has: isRows });

function sumUp({ id, has }: Group, lines: readonly CheckLine[]): CheckBody['lines'][number] {
  const evidence = lines.filter((line) => has(line.id));
  const outcome = evidence.length === 0 ? 'unknown' : worstOf(evidence.map((line) => line.outcome));
  return { id, outcome, evidence };
}
