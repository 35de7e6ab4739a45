import { pathToFileURL } from 'node:url';
import { ensureVerifier } from './ensure-verifier';

/** `npm run verify --`: the offline verifier, the same file that its package holds. */
await import(pathToFileURL(ensureVerifier()).href);
