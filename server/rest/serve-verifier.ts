import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ServiceError } from '@/server/errors';
import { COMMON_HEADERS } from './respond';

/** Name under which the verifier is given away. */
const NAME = 'quittance-verify.mjs';
/** Where the build of packages/verify puts it, from the folder that the service runs in. */
const BUNDLE = 'packages/verify/dist/quittance-verify.mjs';

type Verifier = { bytes: Uint8Array<ArrayBuffer>; sha256: string };
let verifier: Promise<Verifier> | undefined;

/** GET /.well-known/quittance-verify.mjs: the offline verifier as one file, with its hash (RFC 9530). */
export async function serveVerifier(): Promise<Response> {
  const { bytes, sha256 } = await readVerifier();
  return new Response(bytes, {
    headers: {
      ...COMMON_HEADERS,
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Disposition': `attachment; filename="${NAME}"`,
      'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    },
  });
}

/** GET /.well-known/quittance-verify.sha256: its hash, in the form that `sha256sum -c` reads. */
export async function serveVerifierHash(): Promise<Response> {
  const { sha256 } = await readVerifier();
  return new Response(`${sha256}  ${NAME}\n`, {
    headers: { ...COMMON_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

/** Read once in the life of a process; a file that is not there is looked for again by the next request. */
function readVerifier(): Promise<Verifier> {
  verifier ??= readFile(BUNDLE).then(
    (bytes) => ({
      bytes: new Uint8Array(bytes),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }),
    (cause: unknown) => {
      verifier = undefined;
      throw new ServiceError(
        'service_unavailable',
        'The verifier was not built with this service. Build it from the source: npm run verify.',
        { cause },
      );
    },
  );
  return verifier;
}
