import { beforeAll, describe, expect, test } from 'vitest';
import { refuse } from '@quittance/verify/chain/transfer';
import type { MintEvidence } from '@quittance/verify/receipts/check-evidence';
import { fileOf, issueFiles, itemOf, makeKey, onChain } from '@/server/receipts/evidence.fixture';
import { describeStatement, type StatementFacts } from './describe-statement';
import { drawStatement } from './draw-statement';
import { makeRow } from './list.fixture';
import {
  type Business,
  doBusiness,
  draftStatement,
  type Shown,
  showStatement,
  stamped,
} from './statement.fixture';
import { statementName } from '@quittance/verify/statements/describe-statement';
import { leafOf } from '@quittance/verify/statements/merkle';
import { presentRow } from '@quittance/verify/statements/statement-rows';
import {
  checkStatementProof,
  findRowProof,
  statementProof,
  type StatementProof,
} from '@quittance/verify/statements/statement-proof';

type Given = Parameters<typeof checkStatementProof>[0];
type Full = Shown & { membership: NonNullable<Given['membership']> };
let good: Full;
/** One that was issued when a statement had one row for each transaction. */
let older: Full;
let minted: MintEvidence;
let facts: StatementFacts;

/** A real statement, from the payments it lists to the leaf of its NFT, and its proof. */
beforeAll(() =>
  onChain(async (rpcUrl) => {
    const business = await doBusiness(rpcUrl);
    older = await issue(rpcUrl, { business, hasLegs: false });
    good = await issue(rpcUrl, { business, hasLegs: true });
  }),
);

async function issue(
  rpcUrl: string,
  { business, hasLegs }: { business: Business; hasLegs: boolean },
): Promise<Full> {
  const rows = business.rows.map((row) => (hasLegs ? row : { ...row, leg: null }));
  const draft = draftStatement({ wallet: business.wallet, rows });
  facts = draft.facts;
  minted = await issueFiles(rpcUrl, {
    owner: business.wallet,
    other: business.shop,
    name: statementName(facts),
    image: hasLegs
      ? await drawStatement(facts)
      : stamped(await drawStatement(facts), byFirstTemplate(describeStatement(facts, ''))),
    publicUrl: facts.publicUrl,
    describe: (uri) =>
      hasLegs ? describeStatement(facts, uri) : byFirstTemplate(describeStatement(facts, uri)),
  });
  const shown = showStatement(minted, { ...draft, payments: business.payments });
  const txSignature = rows[3]?.txSignature ?? '';
  const member = findRowProof(shown.document, { txSignature });
  const payment = business.payments.get(txSignature);
  if (!member || !payment) throw new Error('the row is not listed');
  return { ...shown, membership: { ...member, payment } };
}

/** Metadata of the first template, without the number of rows and the template. */
function byFirstTemplate(bytes: Uint8Array): Uint8Array {
  let text = new TextDecoder().decode(bytes);
  for (const trait of ['Rows', 'Template']) {
    const json = new RegExp(
      `(?:,|(?<=\\[))\\{"reported_by":"service","trait_type":"${trait}","value":"\\d+","verification":"self_reported"\\}`,
    );
    expect(text).toMatch(json);
    text = text.replace(json, '');
  }
  return new TextEncoder().encode(text);
}

const failing = (change: Partial<Given>): string[] =>
  checkStatementProof({ ...good, ...change })
    .filter(({ outcome }) => outcome !== 'held')
    .map(({ id }) => id);
const altered = (change: Partial<StatementProof>): string[] =>
  failing({ document: statementProof.parse({ ...good.document, ...change }) });
const address = () => makeKey().publicKey;
const rowsOf = () => good.document.transactions ?? [];
const ALL_ROWS = ['merkle_root', 'csv_rows', 'totals'];

test('a statement holds in every line, with its CSV and one member, and without either', () => {
  expect(failing({})).toEqual([]);
  const ids = checkStatementProof(good).map(({ id }) => id);
  for (const id of [...ALL_ROWS, 'csv_hash', 'membership', 'member_on_chain', 'leaf_stated'])
    expect(ids).toContain(id);
  const bare = checkStatementProof({ ...good, csv: null, membership: null });
  expect(bare.filter(({ outcome }) => outcome !== 'held')).toEqual([]);
  expect(bare.map(({ id }) => id)).not.toContain('csv_hash');
});

test('a statement of before legs were listed holds as it was issued, leaf by leaf', () => {
  expect(checkStatementProof(older).filter(({ outcome }) => outcome !== 'held')).toEqual([]);
  const { document } = older;
  for (const item of document.transactions ?? [])
    for (const field of ['leg', 'amount_sent_raw', 'fee_withheld_raw'])
      expect(item).not.toHaveProperty(field);
  // Leaves that the first release made of these rows.
  const sol = { mint: null, token: 'SOL', decimals: 9, receiptId: 'ABCDEFGH0001' };
  expect(leafOf(presentRow(makeRow(1, { leg: null })))).toBe(
    'fe40dee2f4b5522693127bbe77b4a55a1f1bfd51bd8029cc41e48d1196331852',
  );
  expect(leafOf(presentRow(makeRow(2, { ...sol, leg: null })))).toBe(
    '9b7c395c01ab81f8c560edb3bda151203ba6b8670fb502cd49e9de1cfaaa364c',
  );
});

test('one payment can be shown without the others', () => {
  const { transactions, ...alone } = good.document;
  expect(transactions).toHaveLength(5);
  // The rows that are not shown stay unchecked, and no line fails.
  const bare = checkStatementProof({ ...good, document: alone });
  expect(bare.filter(({ outcome }) => outcome !== 'held')).toMatchObject([
    { id: 'rows_shown', outcome: 'unknown' },
  ]);
  const [other] = rowsOf();
  expect(failing({ document: alone, membership: { ...good.membership, row: other } })).toEqual([
    'rows_shown',
    'membership',
    'member_on_chain',
  ]);
});

describe('a statement altered anywhere fails on the line of what was altered:', () => {
  test('every field of every row', () => {
    const words = {
      block_time: '2026-01-09T00:00:00.000Z',
      role: 'seller',
      valuation: 'market',
      receipt_id: 'ABCDEFGH9999',
    };
    for (const [at, row] of rowsOf().entries())
      for (const [name, value] of Object.entries(row)) {
        const other =
          name === 'role'
            ? row.role === 'payer'
              ? 'seller'
              : 'payer'
            : (Reflect.get(words, name) ??
              (typeof value === 'number' ? value + 1 : name.endsWith('_raw') ? '77' : 'another'));
        const rows = rowsOf().map((one, n) => (n === at ? { ...one, [name]: other } : one));
        expect(altered({ transactions: rows }), `${name} of row ${at}`).toContain('merkle_root');
      }
  });

  test('a row that is left out, doubled or in another place', () => {
    const [first, ...rest] = rowsOf();
    const rows = first ? [first] : [];
    expect(altered({ transactions: rest })).toEqual(['merkle_root', 'totals', 'csv_rows']);
    expect(altered({ transactions: [...rows, ...rowsOf()] })).toEqual([
      ...['merkle_root', 'totals', 'rows_in_order', 'csv_rows'],
    ]);
    expect(altered({ transactions: [...rest, ...rows] })).toEqual([
      ...['merkle_root', 'rows_in_order', 'csv_rows'],
    ]);
  });

  test('any byte of the CSV', () => {
    for (let at = 0; at < good.csv.length; at += 41) {
      const csv = Uint8Array.from(good.csv);
      csv[at] = (csv[at] ?? 0) ^ 1;
      expect(failing({ csv }), `byte ${at}`).toContain('csv_hash');
    }
    expect(failing({ csv: good.csv.subarray(0, -1) })).toContain('csv_hash');
    expect(failing({ csv: Buffer.concat([good.csv, Buffer.from('\r\n')]) })).toContain('csv_hash');
  });

  test('a total or the root in the metadata, for which another file must be signed', () => {
    const restated = (change: Partial<StatementFacts>) => {
      const bytes = describeStatement({ ...facts, ...change }, `https://g/${minted.image.item.id}`);
      const item = itemOf(makeKey(), bytes, 'application/json');
      const { id, raw } = fileOf({ bytes, item });
      const uri = `https://g/${id}`;
      const stored = { item_id: id, uri, item: Buffer.from(raw).toString('base64') };
      return altered({ metadata: { ...good.document.metadata, ...stored } });
    };
    const { totals } = facts;
    // Another file has another signer, and is not the one that the NFT names.
    const foreign = ['storage_key_ours', 'metadata_named'];
    expect(restated({ totals: { ...totals, totalMicros: totals.totalMicros + 1n } })).toEqual(
      expect.arrayContaining([...foreign, 'totals']),
    );
    expect(restated({ merkleRoot: '00'.repeat(32) })).toEqual(
      expect.arrayContaining([...foreign, 'merkle_root', 'membership']),
    );
    expect(restated({ csvSha256: '00'.repeat(32) })).toEqual(
      expect.arrayContaining([...foreign, 'csv_hash']),
    );
    expect(restated({ wallet: address() })).toEqual(
      expect.arrayContaining([...foreign, 'owner_is_wallet', 'member_on_chain']),
    );
  });

  test('the member: its row, each step of its path, and what the chain says of it', () => {
    const { membership } = good;
    const member = (change: Partial<typeof membership>) =>
      failing({ membership: { ...membership, ...change } });
    for (const n of membership.path.keys()) {
      const turned = membership.path.map((step, at) =>
        at === n ? { ...step, hash: 'ab'.repeat(32) } : step,
      );
      expect(member({ path: turned }), `step ${n}`).toEqual(['membership']);
      expect(member({ path: membership.path.filter((_, at) => at !== n) })).toEqual(['membership']);
    }
    expect(member({ row: null, path: [] })).toEqual(['membership', 'member_on_chain']);
    const none = refuse('transaction_not_found', 'there is none');
    expect(member({ payment: none })).toEqual(['member_on_chain']);
  });

  test('the id, and what the document states', () => {
    expect(altered({ statement_id: 'STMT00000000' })).toEqual(['metadata_readable']);
    expect(altered({ root: address() })).toEqual(['proof_stated']);
    expect(altered({ creator: address() })).toEqual(['leaf_stated']);
    expect(altered({ tree: address() })).toEqual(['root_recent', 'holder_now', 'leaf_stated']);
    expect(altered({ network: 'devnet' })).toEqual(['network_stated']);
    expect(altered({ asset_id: address() })).toContain('minted');
  });
});

test('a statement of another creator, tree or storage key fails on that line', () => {
  const used = { used_from: '2020-01-01T00:00:00.000Z', used_until: null };
  const key = [{ public_key: address(), ...used }];
  const { issuer } = minted;
  expect(failing({ issuer: { ...issuer, creators: key } })).toEqual(['creator_ours']);
  expect(failing({ issuer: { ...issuer, storage_keys: key } })).toEqual(['storage_key_ours']);
  const trees = [{ address: address(), ...used }];
  expect(failing({ issuer: { ...issuer, trees } })).toEqual(['tree_ours']);
  const ended = issuer.creators.map((one) => ({ ...one, used_until: one.used_from }));
  expect(failing({ issuer: { ...issuer, creators: ended } })).toEqual(['creator_ours']);
});
