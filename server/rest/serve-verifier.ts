import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ServiceError } from '@/server/errors';
import { COMMON_HEADERS } from './respond';

/** The published files, by their names in the build folder of packages/verify. */
const TYPES = {
  'quittance-verify.mjs': 'text/javascript; charset=utf-8',
  'quittance-verify.tgz': 'application/gzip',
} as const;
type Name = keyof typeof TYPES;
/** From the folder that the service runs in. */
const BUILT = 'packages/verify/dist';

type Given = { bytes: Uint8Array<ArrayBuffer>; sha256: string };
const given = new Map<Name, Promise<Given>>();

/** GET /.well-known/{name}: the offline verifier as one file or as an npm package, with its hash (RFC 9530). */
export async function serveVerifier(name: Name): Promise<Response> {
  const { bytes, sha256 } = await readGiven(name);
  return new Response(bytes, {
    headers: {
      ...COMMON_HEADERS,
      'Content-Type': TYPES[name],
      'Content-Disposition': `attachment; filename="${name}"`,
      'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    },
  });
}

/** Its hash, in the form that `sha256sum -c` reads. */
export async function serveVerifierHash(name: Name): Promise<Response> {
  const { sha256 } = await readGiven(name);
  return new Response(`${sha256}  ${name}\n`, {
    headers: { ...COMMON_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

/** Read once a process. If a file is missing, the next request tries again. */
function readGiven(name: Name): Promise<Given> {
  const known = given.get(name);
  if (known) return known;
  const reading = readFile(`${BUILT}/${name}`).then(
    (bytes) => ({
      bytes: new Uint8Array(bytes),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }),
    (cause: unknown) => {
      given.delete(name);
      throw new ServiceError(
        'service_unavailable',
        'The verifier was not built with this service. Build it from the source: npm run verify.',
        { cause },
      );
    },
  );
  given.set(name, reading);
  return reading;
}
