import { loadDotEnv } from '@/devnet/settings';
import { buildApp } from './build-app';
import { ensureVerifier } from './ensure-verifier';

loadDotEnv();
// An image has nothing to build it with later.
ensureVerifier();
console.log(`built ${await buildApp((line) => console.log(line))}`);
