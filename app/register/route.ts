import type { RegisterBody } from '@/server/api/registration-schemas';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { trusted } from '@/server/trusted';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/register', {
  POST: async ({ caller, body }) =>
    json(
      200,
      await caller.registrations.register(
        trusted<RegisterBody>(await body(), 'the procedure parses its input'),
      ),
    ),
  DELETE: async ({ caller }) => json(200, await caller.registrations.unregister()),
});
