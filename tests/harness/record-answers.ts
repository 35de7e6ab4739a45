import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Stores the JSON answers of the service that tests see, one file each. `npx tsx
 * scripts/pick-examples.ts` takes the examples of the docs from them. Tests run with
 * `RECORD_ANSWERS=<folder>` do so.
 */
export function recordAnswers(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await real(input, init);
    const asked = input instanceof Request ? input : null;
    const url = new URL(asked?.url ?? String(input));
    const isJson = (response.headers.get('content-type') ?? '').includes('application/json');
    if (response.headers.has('x-quittance-version') && isJson) {
      const kept = {
        method: (init?.method ?? asked?.method ?? 'GET').toLowerCase(),
        origin: url.origin,
        path: url.pathname,
        status: response.status,
        // The offer of x402 version 2 is in a header alone.
        paymentRequired: response.headers.get('payment-required'),
        body: await response.clone().text(),
      };
      const text = JSON.stringify(kept);
      const name = createHash('sha256').update(text).digest('hex').slice(0, 24);
      writeFileSync(join(folder, `${name}.json`), text);
    }
    return response;
  };
}
