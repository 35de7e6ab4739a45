import { pathToFileURL } from 'node:url';
import { ensureVerifier } from './ensure-verifier';

/** `npm run verify --`: the offline verifier, the same file as in its package. */
await import(pathToFileURL(ensureVerifier()).href);
