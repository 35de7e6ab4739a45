import { createTranslator } from 'next-intl';
import { expect, test } from 'vitest';
import { refuse } from '@quittance/verify/chain/transfer';
import { checkIssuer } from '@quittance/verify/receipts/check-issuer';
import type { CheckLine } from '@quittance/verify/receipts/check-line';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { checkStatement } from '@quittance/verify/statements/check-statement';
import { presentRow } from '@quittance/verify/statements/statement-rows';
import proof from '@/messages/en/proof.json';
import { bareEvidence } from '@/server/receipts/bare-evidence.fixture';
import { makeRow, signatureOf } from '@/server/statements/list.fixture';
import { factsOf } from '@/server/statements/scan.fixture';

const t = createTranslator({ locale: 'en', messages: { proof }, namespace: 'proof' });
const { line: words } = proof.evidence;
const isWord = (id: string): id is keyof typeof words => Object.hasOwn(words, id);

const ofNothing = bareEvidence(new Uint8Array());
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
    ...bareEvidence(factsOf()),
    statementId: 'STMT7K3MQ9XW',
    rows: [row],
    payments: new Map(),
    csv: new Uint8Array(),
    membership: null,
  }),
};

test.each(['receipt', 'statement'] as const)(
  'every line of the check of a %s has a text on the page, with the words of the verifier',
  (kind) => {
    const titles = LINES[kind].map(({ id }) => [
      id,
      isWord(id) && t(`evidence.line.${id}`, { kind }),
    ]);
    expect(titles).toEqual(LINES[kind].map(({ id, title }) => [id, title.replaceAll("'", '’')]));
  },
);

test('the page has texts for no other line', () => {
  const ids = Object.values(LINES).flatMap((lines) => lines.map(({ id }) => id));
  expect([...new Set(ids)].toSorted()).toEqual(Object.keys(words).toSorted());
});
