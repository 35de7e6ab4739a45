import { parseArgs } from 'node:util';
import { RpcRefused, RpcUnavailable } from '@/server/chain/rpc-errors';
import { allHold } from '@/server/receipts/check-receipt';
import { checkProof } from '@/server/receipts/check-proof';
import { evidenceOfProof } from '@/server/receipts/evidence-of-proof';
import { issuerDocument } from '@/server/receipts/issuer-document';
import { lookUpProof } from '@/server/receipts/look-up-proof';
import { proofDocument, type ProofDocument } from '@/server/receipts/proof-document';
import { readDocument, readBytes, Unreadable } from './verify/read-document';
import { printLines } from './verify/print-lines';

const HELP = `quittance-verify <proof> --issuer <keys> --rpc <url> [--gateway <url>]

  <proof>    the answer of /receipt/{receipt_id}/proof: a file, an address, or - for standard input
  --issuer   the issuer's /.well-known/quittance.json: a file or an address. Have it from the issuer
             itself: what a receipt is worth rests on these keys being the issuer's.
  --rpc      a Solana node; one with an index of assets (DAS) shows who holds the NFT now
  --gateway  also compares the files with those of a storage gateway, https://gateway.irys.xyz
  --json     one JSON array of the lines

Ends with 0 when every line held, 1 when one did not, 2 when it could not be checked.`;

const FLAGS = {
  issuer: { type: 'string' },
  rpc: { type: 'string' },
  gateway: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: FLAGS, allowPositionals: true });
  const [place] = positionals;
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (place === undefined || positionals.length > 1 || !values.issuer || !values.rpc)
    throw new Unreadable(HELP);
  const [document, issuer] = await Promise.all([
    readDocument(place, proofDocument),
    readDocument(values.issuer, issuerDocument),
  ]);
  const seen = await lookUpProof({ document, rpcUrl: values.rpc });
  const served = values.gateway && (await fetchServed(document, values.gateway));
  const evidence = evidenceOfProof({ document, issuer, seen, ...(served ? { served } : {}) });
  const lines = checkProof({ document, evidence });
  printLines(lines, { json: values.json });
  if (!values.json && !seen.asset)
    console.log(
      "The node keeps no index of assets: the proof's own word is judged for the holder.",
    );
  return allHold(lines) ? 0 : 1;
}

async function fetchServed(document: ProofDocument, gateway: string) {
  const fetchFile = (file: ProofDocument['metadata']) =>
    readBytes(`${gateway.replace(/\/+$/, '')}/${encodeURIComponent(file.item_id)}`);
  const [metadata, image] = await Promise.all([
    fetchFile(document.metadata),
    fetchFile(document.image),
  ]);
  return { metadata, image };
}

try {
  process.exitCode = await main();
} catch (error) {
  const known =
    error instanceof Unreadable ||
    error instanceof RpcUnavailable ||
    error instanceof RpcRefused ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  console.error(known ? error.message : error);
  process.exitCode = 2;
}
