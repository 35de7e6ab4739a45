import { createTranslator } from 'next-intl';
import { expect, test } from 'vitest';
import { refuse } from '@quittance/verify/chain/transfer';
import type { MintEvidence } from '@quittance/verify/receipts/check-evidence';
import { checkIssuer } from '@quittance/verify/receipts/check-issuer';
import type { CheckLine } from '@quittance/verify/receipts/check-line';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { checkStatement } from '@quittance/verify/statements/check-statement';
import { presentRow } from '@quittance/verify/statements/statement-rows';
import proof from '@/messages/en/proof.json';
import { makeRow, signatureOf } from '@/server/statements/list.fixture';
import { factsOf } from '@/server/statements/scan.fixture';

const t = createTranslator({ locale: 'en', messages: { proof }, namespace: 'proof' });
const { line: words } = proof.evidence;
const isWord = (id: string): id is keyof typeof words => Object.hasOwn(words, id);

/** Evidence of an NFT that no chain has. A check of it gives every line all the same. */
function evidenceOf(metadata: Uint8Array): MintEvidence {
  const item = {
    id: '',
    owner: '',
    signature: metadata,
    anchor: metadata,
    tags: [],
    data: metadata,
  };
  return {
    issuer: {
      service: 'quittance',
      network: 'local',
      url: 'https://receipts.example',
      creators: [],
      storage_keys: [],
      trees: [],
      collections: [],
    },
    metadata: { bytes: metadata, item },
    image: { bytes: metadata, item },
    mintTransaction: null,
    asset: { id: '', owner: null, delegate: null },
    proof: null,
    tree: { address: '', data: null },
  };
}

const ofNothing = evidenceOf(new Uint8Array());
const row = presentRow(makeRow(0, { txSignature: signatureOf('listed') }));
const LINES: Record<'receipt' | 'statement', CheckLine[]> = {
  receipt: [
    ...checkIssuer({
      issuer: { raw: {}, document: ofNothing.issuer },
      known: null,
      evidence: ofNothing,
    }).lines,
    ...checkReceipt({
      ...ofNothing,
      receiptId: '',
      payment: refuse('transaction_not_found', ''),
    }),
  ],
  statement: checkStatement({
    ...evidenceOf(factsOf()),
    statementId: 'STMT7K3MQ9XW',
    rows: [row],
    payments: new Map(),
    csv: new Uint8Array(),
    membership: null,
  }),
};

test.each(['receipt', 'statement'] as const)(
  'every line of the check of a %s has words of the page, which are those of the verifier',
  (kind) => {
    const titles = LINES[kind].map(({ id }) => [
      id,
      isWord(id) && t(`evidence.line.${id}`, { kind }),
    ]);
    expect(titles).toEqual(LINES[kind].map(({ id, title }) => [id, title.replaceAll("'", '’')]));
  },
);

test('the page has words for no other line', () => {
  const ids = Object.values(LINES).flatMap((lines) => lines.map(({ id }) => id));
  expect([...new Set(ids)].toSorted()).toEqual(Object.keys(words).toSorted());
});
