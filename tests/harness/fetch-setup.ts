import { recordAnswers } from './record-answers';

/**
 * Node loads its own `fetch` at the first use. Where the undici of npm is loaded before, that gives `fetch` a dispatcher
 * of another version, which refuses requests with a content-length of their own, as @solana/kit sends them.
 */
await fetch('data:,');

const folder = process.env['RECORD_ANSWERS'];
if (folder !== undefined) recordAnswers(folder);
