import { registerInput, registrationBody } from '@/server/api/registration-schemas';
import { registering, type Operation } from './operation';

/** Automatic receipts of a seller's wallet: on and off. */
export const REGISTRATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'registerSeller',
    method: 'post',
    path: '/register',
    tag: 'Wallets',
    summary: 'Register a wallet for automatic receipts',
    description:
      'From the block of now on, payments to the wallet of 0.01 to 1 USD get their receipt by themselves; for larger ones a fee is due, see the dashboard. A repeat changes the texts.',
    parameters: registering('register:{wallet}:{sha256 hex of the canonical JSON body}:{time}'),
    body: {
      schema: registerInput,
      example: {
        ...{ wallet_address: '{wallet}', business_name: 'Corner café' },
        ...{ country: 'DE', service_type: 'Coffee' },
      },
    },
    answer: { description: 'The registration.', schema: registrationBody },
    errors: [
      ...(['invalid_request', 'wallet_proof_missing', 'wallet_proof_invalid'] as const),
      ...(['proof_time_wrong', 'chain_unavailable'] as const),
    ],
  },
  {
    id: 'unregisterSeller',
    method: 'delete',
    path: '/register',
    tag: 'Wallets',
    summary: 'End the automatic receipts of a wallet',
    description: 'What comes in from now on gets no receipt by itself. Receipts that exist stay.',
    parameters: registering('unregister:{wallet}:{time}'),
    answer: { description: 'The registration that ended.', schema: registrationBody },
    errors: [
      ...(['wallet_proof_missing', 'wallet_proof_invalid', 'proof_time_wrong'] as const),
      'registration_not_found',
    ],
  },
];
