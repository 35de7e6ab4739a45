import { ServiceError } from '@/server/errors';
import { log } from '@/server/log';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { NOT_PROVABLE, verdictOf } from '@quittance/verify/receipts/verdict';
import { checkIssuer } from '@quittance/verify/receipts/check-issuer';
import { type CheckLine, worstOf } from '@quittance/verify/receipts/check-line';
import { findReceipt } from '@/server/receipts/find-receipt';
import { collectEvidence } from '@/server/receipts/gather-evidence';
import { presentReceipt } from './present-receipt';
import type { CheckBody } from '../web-schemas';
import { readIssuer } from './read-proof';
import type { Call } from '../call';

/** Results are kept so long: a page that many people open at once asks the nodes once. */
const KEPT_MS = 30_000;
const MOST_KEPT = 500;

const NOT_YET: CheckBody = {
  state: 'not_yet',
  checked_at: null,
  verdict: null,
  lines: [],
  not_provable: [...NOT_PROVABLE],
};

const kept = new Map<string, { at: number; body: Promise<CheckBody> }>();

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
  const known = kept.get(id);
  if (known && performance.now() - known.at < KEPT_MS) return known.body;
  const body = look(call, presentReceipt(found, call.service.env));
  kept.set(id, { at: performance.now(), body });
  body.catch(() => kept.delete(id));
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return body;
}

async function look(call: Call, receipt: ReturnType<typeof presentReceipt>): Promise<CheckBody> {
  const { env, clock } = call.service;
  const { mint_signature, asset_id, tree } = receipt;
  if (mint_signature === null || asset_id === null || tree === null)
    throw new Error(`the completed receipt ${receipt.receipt_id} has no leaf on record`);
  try {
    const issuer = await readIssuer(call);
    const evidence = await collectEvidence({
      receiptId: receipt.receipt_id,
      issuer,
      receipt: { ...receipt, mint_signature, asset_id, tree },
      rpcUrl: env.rpcUrls[0] ?? '',
      gatewayUrl: env.storageGatewayUrl,
    });
    const own = checkIssuer({ issuer: { raw: issuer, document: issuer }, known: null, evidence });
    const lines = [...own.lines, ...checkReceipt(evidence)];
    return {
      state: 'checked',
      checked_at: clock.now().toISOString(),
      verdict: verdictOf(lines),
      not_provable: [...NOT_PROVABLE],
      lines: GROUPS.map((group) => sumUp(group, lines)),
    };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    log().warn({ event: 'check_not_possible', receiptId: receipt.receipt_id, err: error });
    throw new ServiceError(
      'evidence_unavailable',
      'The receipt could not be checked now, because the chain, its index or the storage did not answer. That says nothing about the receipt.',
      { cause: error },
    );
  }
}

type Group = { id: CheckBody['lines'][number]['id']; title: string; has: (id: string) => boolean };

const starts =
  (...words: string[]) =>
  (id: string) =>
    words.some((word) => id.startsWith(word));
const isPayment = starts('fact_', 'payment_', 'choice_', 'token_', 'value_');
const isStorage = starts(
  'metadata_readable',
  'metadata_by_template',
  'metadata_signed',
  'image_',
  'storage_',
  'signed_',
  'files_',
  'picture_',
);
const isTree = starts('leaf_', 'root_', 'tree_', 'holder_');

const GROUPS: readonly Group[] = [
  { id: 'payment', title: 'The payment on chain says the same', has: isPayment },
  { id: 'storage', title: 'Picture and facts are the stored, signed files', has: isStorage },
  {
    id: 'nft',
    title: 'The proof was issued by this service, to the payer',
    has: (id) => !isPayment(id) && !isStorage(id) && !isTree(id),
  },
  { id: 'tree', title: 'The proof stands on chain', has: isTree },
];

function sumUp({ id, title, has }: Group, lines: readonly CheckLine[]): CheckBody['lines'][number] {
  const evidence = lines.filter((line) => has(line.id));
  const outcome = evidence.length === 0 ? 'unknown' : worstOf(evidence.map((line) => line.outcome));
  return { id, title, outcome, evidence };
}
