#!/usr/bin/env node
// Runs the TypeScript of this folder from wherever it is called.
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

// A library of the chain's formats says so on every start when its optional native part is absent.
const { warn } = console;
console.warn = (...words) => String(words[0]).startsWith('bigint: ') || warn(...words);

register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
await import('../scripts/quittance-verify.ts');
