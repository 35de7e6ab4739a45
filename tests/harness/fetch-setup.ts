import { recordAnswers } from './record-answers';

/**
 * Node loads its own `fetch` at the first use. If npm's undici is loaded before, `fetch` gets a
 * dispatcher of another version. This dispatcher refuses requests that set their own
 * content-length, like those of @solana/kit.
 */
await fetch('data:,');

const folder = process.env['RECORD_ANSWERS'];
if (folder !== undefined) recordAnswers(folder);
