import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { TestService } from './start-service';

const coded = z.object({ code: z.unknown() });

/** A request that a correct client would not send. */
export function sendRaw(
  service: TestService,
  method: string,
  path: string,
): Promise<{ status: number; code: unknown }> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path }, (response) => {
      const { statusCode: status = 0 } = response;
      text(response)
        .then((body) => ({ status, code: coded.parse(JSON.parse(body)).code }))
        .then(resolve, reject);
    });
    sent.once('error', reject);
    sent.end();
  });
}
