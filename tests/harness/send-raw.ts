import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { TestService } from './start-service';

/** A request as no well-behaved client would send it. */
export function sendRaw(
  service: TestService,
  method: string,
  path: string,
): Promise<{ status: number; code: unknown }> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path }, (response) => {
      json(response).then(
        (body) =>
          resolve({ status: response.statusCode ?? 0, code: (body as { code: unknown }).code }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end();
  });
}
