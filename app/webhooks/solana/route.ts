import type { WebhookBody } from '@/server/api/registration-schemas';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { trusted } from '@/server/trusted';

/** Raw webhooks carry whole transactions, several in one call. */
const MAX_BODY_BYTES = 1024 * 1024;

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/webhooks/solana',
  {
    POST: async ({ caller, body }) =>
      json(
        200,
        await caller.registrations.noteTransactions(
          trusted<WebhookBody>(await body(), 'the procedure parses its input'),
        ),
      ),
  },
  { maxBodyBytes: MAX_BODY_BYTES },
);
