import { TRPCError } from '@trpc/server';
import { expect, it } from 'vitest';
import { mintInput } from '@/server/use-cases/receipts/schemas';
import { registerInput } from '@/server/use-cases/registrations/schemas';
import { toServiceError } from './trpc';

const refused = (schema: typeof mintInput | typeof registerInput, input: unknown) => {
  const { error } = schema.safeParse(input);
  return toServiceError(new TRPCError({ code: 'BAD_REQUEST', cause: error }));
};

it('a label that is refused has a sentence, and a reason with its data', () => {
  const error = refused(mintInput, {
    tx_signature: '5'.repeat(87),
    service_type: 'see evil.com',
    invoice_id: '@evil',
    more: 1,
  });
  expect(error.code).toBe('invalid_request');
  expect(error.message).toContain(
    'invoice_id: Handles with @ and e-mail addresses are not allowed.',
  );
  expect(error.details).toMatchObject({
    service_type: expect.stringContaining('"evil.com"') as string,
    reasons: {
      service_type: { code: 'domain', found: 'evil.com' },
      invoice_id: { code: 'handle' },
    },
    more: 'is not a field of this request',
  });
});

it('so does an entry that is kept both as sent and as parsed', () => {
  const error = refused(registerInput, {
    wallet_address: '1'.repeat(32),
    business_name: 'https://evil.example',
    country: 'US',
    service_type: 'Airdrop',
  });
  expect(error.details).toEqual({
    business_name: 'Links are not allowed.',
    service_type: expect.stringContaining('"airdrop"') as string,
    reasons: { business_name: { code: 'link' }, service_type: { code: 'prize', found: 'airdrop' } },
  });
});

it('a request without labels has no reasons', () => {
  expect(refused(mintInput, {}).details).toEqual({
    tx_signature: 'is required',
    service_type: 'is required',
  });
});
