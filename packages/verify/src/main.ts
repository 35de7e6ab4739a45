import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readNode } from './chain/read-node';
import { readTransfer } from './chain/read-transfer';
import { RpcRefused, RpcUnavailable } from './chain/rpc-errors';
import type { CheckLine } from './receipts/check-line';
import { allHold } from './receipts/check-receipt';
import { checkProof } from './receipts/check-proof';
import { evidenceOfProof } from './receipts/evidence-of-proof';
import { issuerDocument, type IssuerDocument } from './receipts/issuer-document';
import { lookUpMint, lookUpProof } from './receipts/look-up-proof';
import { proofDocument, type MintProof } from './receipts/proof-document';
import type { Membership } from './statements/check-statement';
import {
  checkStatementProof,
  findRowProof,
  rowProof,
  statementProof,
  type StatementProof,
} from './statements/statement-proof';
import { isSignature } from './wallets/base58';
import { parseDocument, readBytes, readDocument, readPlace, Unreadable } from './cli/read-document';
import { printLines } from './cli/print-lines';

const HELP = `quittance-verify <proof> --issuer <keys> --rpc <url> [--gateway <url>]
quittance-verify <proof> --issuer <keys> --rpc <url> [--csv <file>] [--member <signature or file>]

  <proof>    the answer of /receipt/{receipt_id}/proof or of /statement/{statement_id}/proof: a file, an
             address, or - for standard input
  --issuer   the issuer's /.well-known/quittance.json: a file or an address. Have it from the issuer
             itself: what a receipt is worth rests on these keys being the issuer's.
  --rpc      a Solana node; one with an index of assets (DAS) shows who holds the NFT now
  --gateway  also compares the files with those of a storage gateway, https://gateway.irys.xyz
  --csv      of a statement: also checks this CSV, a file or an address
  --member   of a statement: also checks one payment of it, against the root in the NFT and against the
             chain: its signature, with :<leg> after it for one leg of several, or the answer of
             /statement/{statement_id}/proof/{tx_signature}, with which <proof> may come without its
             "transactions"
  --json     one JSON array of the lines

Ends with 0 when every line held, 1 when one did not, 2 when it could not be checked.`;

const FLAGS = {
  issuer: { type: 'string' },
  rpc: { type: 'string' },
  gateway: { type: 'string' },
  csv: { type: 'string' },
  member: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Asked = { rpcUrl: string; issuer: IssuerDocument } & Record<
  'gateway' | 'csv' | 'member',
  string | undefined
>;
type Checked = { lines: CheckLine[]; hasIndex: boolean };

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: FLAGS, allowPositionals: true });
  const [place] = positionals;
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (place === undefined || positionals.length > 1 || !values.issuer || !values.rpc)
    throw new Unreadable(HELP);
  const [told, issuer] = await Promise.all([
    readDocument(place, z.looseObject({})),
    readDocument(values.issuer, issuerDocument),
  ]);
  const { gateway, csv, member } = values;
  const asked = { rpcUrl: values.rpc, issuer, gateway, csv, member };
  const { lines, hasIndex } =
    'statement_id' in told
      ? await checkOneStatement(parseDocument(place, told, statementProof), asked)
      : await checkOneReceipt(place, told, asked);
  printLines(lines, { json: values.json });
  if (!values.json && !hasIndex)
    console.log(
      "The node keeps no index of assets: the proof's own word is judged for the holder.",
    );
  return allHold(lines) ? 0 : 1;
}

async function checkOneReceipt(place: string, told: unknown, asked: Asked): Promise<Checked> {
  const document = parseDocument(place, told, proofDocument);
  const { rpcUrl, issuer } = asked;
  if (asked.csv !== undefined || asked.member !== undefined)
    throw new Unreadable('--csv and --member are for the proof of a statement');
  const [seen, served] = await Promise.all([
    lookUpProof({ document, rpcUrl, network: issuer.network }),
    fetchServed(document, asked.gateway),
  ]);
  const evidence = evidenceOfProof({ document, issuer, seen, ...served });
  return { lines: checkProof({ document, evidence }), hasIndex: seen.asset !== null };
}

async function checkOneStatement(document: StatementProof, asked: Asked): Promise<Checked> {
  const { rpcUrl, issuer } = asked;
  const [seen, served, csv, membership] = await Promise.all([
    lookUpMint({ document, rpcUrl }),
    fetchServed(document, asked.gateway),
    asked.csv === undefined ? null : readPlace(asked.csv),
    asked.member === undefined
      ? null
      : findMember(document, asked.member, { rpcUrl, network: issuer.network }),
  ]);
  const lines = checkStatementProof({ document, issuer, seen, csv, membership, ...served });
  return { lines, hasIndex: seen.asset !== null };
}

async function findMember(
  document: StatementProof,
  member: string,
  { rpcUrl, network }: { rpcUrl: string; network: IssuerDocument['network'] },
): Promise<Membership> {
  const [name = '', leg] = member.split(':');
  const isNamed = isSignature(name);
  if (isNamed && !document.transactions)
    throw new Unreadable(
      'the proof lists no transactions: give --member the answer of /statement/{statement_id}/proof/{tx_signature}',
    );
  const shown = isNamed
    ? (findRowProof(document, { txSignature: name, leg: legNumber(leg) }) ?? NO_ROW)
    : await readDocument(member, rowProof);
  const signature = shown.row?.tx_signature ?? name;
  return { ...shown, payment: await readTransfer({ rpc: readNode(rpcUrl), network, signature }) };
}

const NO_ROW = { row: null, path: [] };

/** Undefined: any leg. What is no number is no leg of any row. */
function legNumber(leg: string | undefined): number | undefined {
  if (leg === undefined) return undefined;
  return /^\d{1,4}$/.test(leg) ? Number(leg) : -1;
}

async function fetchServed(document: MintProof, gateway: string | undefined) {
  if (gateway === undefined) return {};
  const fetchFile = (file: MintProof['metadata']) =>
    readBytes(`${gateway.replace(/\/+$/, '')}/${encodeURIComponent(file.item_id)}`);
  const [metadata, image] = await Promise.all([
    fetchFile(document.metadata),
    fetchFile(document.image),
  ]);
  return { served: { metadata, image } };
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
