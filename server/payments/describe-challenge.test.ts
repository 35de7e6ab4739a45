import { expect, it } from 'vitest';
import { named } from '@/tests/harness/chain/made-transaction';
import { describeChallenge } from './describe-challenge';
import type { QuoteTerms } from './quotes';
import { trusted } from '@/server/trusted';

const quote = trusted<QuoteTerms>(
  {
    id: 'QT000000000000000001',
    path: '/mint',
    priceMicros: 100_000n,
    payTo: named('the till'),
    openUntil: new Date(Date.UTC(2026, 10, 29)),
  },
  'all that is read of it',
);
const describe402 = (notSettled: string | null, countsLater: string | null = null) =>
  describeChallenge({
    env: {
      network: 'local',
      publicUrl: 'https://q.example',
      operator: {
        name: 'The operator',
        contact: 'desk@q.example',
        contactUri: 'mailto:desk@q.example',
      },
    },
    quote,
    feePayer: named('the fee payer'),
    blockhash: null,
    description: 'Receipt',
    fee: 'A fee is due.',
    bare: 'proven_only',
    refusal: null,
    notSettled,
    countsLater,
    fields: {},
  });

it('offers no payment that the service would send while its fee payer runs low, and the other all the same', () => {
  const { header, body } = describe402('the fee payer runs low on SOL');
  expect(header).toBeNull();
  expect(body['accepts']).toEqual([]);
  const documented = { accepts: [{ payTo: quote.payTo, maxAmount: '100000' }] };
  expect(body['paymentRequirements']).toMatchObject(documented);
  expect(body['message']).toContain('because the fee payer runs low on SOL');
  const open = describe402(null);
  expect(open.header).not.toBeNull();
  expect(open.body['accepts']).toMatchObject([{ scheme: 'exact', maxAmountRequired: '100000' }]);
  expect(open.body['paymentRequirements']).toMatchObject(documented);
});

it('says that a payment counts later while one node alone answers', () => {
  const few = 'fewer than two of our Solana nodes answer';
  const { header, body } = describe402(few, few);
  expect(header).toBeNull();
  expect(body['message']).toContain(`counts later, because ${few}`);
  expect(body['paymentRequirements']).toMatchObject({ accepts: [{ maxAmount: '100000' }] });
  expect(describe402(null).body['message']).not.toContain('counts later');
});
