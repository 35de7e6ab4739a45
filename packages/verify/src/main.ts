import { parseArgs } from 'node:util';
import { z } from 'zod';
import { checkIssuer } from './receipts/check-issuer';
import type { CheckLine } from './receipts/check-line';
import { type AskNode, postJson } from './chain/post-json';
import { askAndSave, askFiles, OFFLINE } from './cli/saved-answers';
import { loadDrawing } from './cli/load-drawing';
import { checkDrawn, type Drawing, type SheetReading } from './images/check-drawn';
import { sheetOfReceipt, sheetOfStatement } from './images/sheet-of-proof';
import { checkProof, type ServedFiles } from './receipts/check-proof';
import { evidenceOfMint, evidenceOfProof, type SeenMint } from './receipts/evidence-of-proof';
import { issuerDocument, type IssuerDocument } from './receipts/issuer-document';
import { type FetchStored, lookForSecond } from './receipts/look-for-second';
import { findLeaf, mintTime } from './receipts/minted-leaf';
import { lookUpMint, lookUpProof, openPlaces, type Places } from './receipts/look-up-proof';
import { mintProof, proofDocument, type MintProof } from './receipts/proof-document';
import { checkComplete } from './statements/find-unlisted';
import { lookUpMember, lookUpRows } from './statements/look-up-rows';
import {
  checkStatementProof,
  rowProof,
  statementProof,
  type StatementProof,
} from './statements/statement-proof';
import { isSignature } from './wallets/base58';
import { parseDocument, readBytes, readDocument, readPlace, Unreadable } from './cli/read-document';
import { readIssuer } from './cli/read-issuer';
import { printReport } from './cli/print-report';
import { EXIT_CODES, USAGE_EXIT_CODE, verdictOf } from './receipts/verdict';

const HELP = `quittance-verify <proof> [--issuer <keys>] --rpc <url> [--known <older keys>] [--gateway <url>]
                 [--unique] [--redraw]
quittance-verify <proof> [--issuer <keys>] --rpc <url> [--csv <file>] [--rows none]
                 [--member <signature or file>] [--complete] [--redraw]

  <proof>    the answer of /receipt/{receipt_id}/proof or of /statement/{statement_id}/proof: a file, an
             address, or - for standard input
  --issuer   the issuer's /.well-known/quittance.json: a file or an address. Get it from the issuer.
             The verdict relies on these keys. The default is the one of the https site that the NFT names.
  --known    an older document of the same issuer that you kept: shows what was rewritten after it
  --rpc      a Solana node; one with an index of assets (DAS) shows who holds the NFT now
  --rpc none asks no node and checks only the answers in --files
  --save     a folder to keep the answers of the node in
  --files    a folder with answers that were kept before
  --unique   of a receipt: also reads the histories of all trees of the issuer, to find a second NFT of
             the same transaction. Use it with --gateway, which serves the other files of the payer
  --gateway  also compares the files with those of a storage gateway, https://gateway.irys.xyz
  --redraw   also draws the image again and compares the two. It needs the drawing packages beside the
             verifier. README.md of the package names them
  --csv      of a statement: also checks this CSV, a file or an address
  --rows     of a statement: all (the default) checks every row on the chain. With none, the statement
             counts as not checked
  --member   of a statement: also checks one payment against the root in the NFT and against the chain.
             Give its signature, with :<leg> after it for one leg of several. Or give the answer of
             /statement/{statement_id}/proof/{tx_signature}: <proof> may then lack its "transactions"
  --complete of a statement: also scans the wallet and its token accounts for the period, and names
             payments that are not listed. A statement that is a scan must list them
  --json     one JSON object: the verdict, the checks, and the facts that nobody can prove

Ends with the verdict: 0 genuine (every check held), 1 not genuine (one failed), 2 could not be checked
(none failed, and something is missing). 64: the arguments are wrong.`;

const FLAGS = {
  issuer: { type: 'string' },
  known: { type: 'string' },
  rpc: { type: 'string' },
  save: { type: 'string' },
  files: { type: 'string' },
  gateway: { type: 'string' },
  csv: { type: 'string' },
  rows: { type: 'string' },
  member: { type: 'string' },
  complete: { type: 'boolean', default: false },
  unique: { type: 'boolean', default: false },
  redraw: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Asked = {
  places: Places;
  issuer: IssuerDocument;
  unique: boolean;
  complete: boolean;
  /** Null where no image is to be drawn again. */
  drawing: Drawing | null;
} & Record<'gateway' | 'csv' | 'rows' | 'member', string | undefined>;
type Checked = { lines: CheckLine[]; document: MintProof; seen: SeenMint };

/** The arguments are wrong. */
class Usage extends Error {}

async function main(): Promise<number> {
  const { values, positionals } = readArgs();
  const [place] = positionals;
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (place === undefined || positionals.length > 1)
    throw new Usage(`Name one proof: a file, an address, or - for standard input.\n\n${HELP}`);
  if (!values.rpc)
    throw new Usage(`Name a Solana node with --rpc <url>, or --rpc none.\n\n${HELP}`);
  const told = await readDocument(place, z.looseObject({}));
  const [given, known] = await Promise.all([
    readIssuer(values.issuer, parseDocument(place, told, mintProof)),
    values.known === undefined ? null : readDocument(values.known, issuerDocument),
  ]);
  const { gateway, csv, rows, member } = values;
  const issuer = given.document;
  const { unique, complete } = values;
  const drawing = values.redraw ? await loadDrawing() : null;
  const more = { gateway, csv, rows, member, unique, complete, drawing };
  const places = openPlaces({ ...nodeOf(values), network: issuer.network });
  const asked = { places, issuer, ...more };
  const { lines, document, seen } =
    'statement_id' in told
      ? await checkOneStatement(parseDocument(place, told, statementProof), asked)
      : await checkOneReceipt(place, told, asked);
  const evidence = evidenceOfMint({ document, issuer, seen });
  const own = checkIssuer({ issuer: given, known, evidence });
  const isWhole = complete || !('statement_id' in told);
  const asset = values.rpc === 'none' ? noNode(values.files) : NO_INDEX;
  const notes = [
    given.note,
    ...own.notes,
    ...(seen.asset === null ? [asset] : []),
    ...(isWhole ? [] : [NOT_LOOKED]),
  ];
  const report = { lines: [...own.lines, ...lines], notes };
  return EXIT_CODES[printReport(report, { json: values.json })];
}

const NO_INDEX =
  'The node keeps no index of assets (DAS), so the holder is checked by what the proof states.';

const NOT_LOOKED = 'The verifier did not search for other payments of the period. Use --complete.';

function noNode(files: string | undefined): string {
  return files === undefined
    ? 'No node was asked.'
    : 'No node was asked. The saved answers were used.';
}

/** The node to ask, or the folder used in its place. */
function nodeOf(o: { rpc?: string; save?: string; files?: string }): {
  rpcUrl: string;
  ask: AskNode;
} {
  const isOffline = o.rpc === 'none';
  if (o.files !== undefined && !isOffline) throw new Usage('--files needs --rpc none');
  if (o.save !== undefined && isOffline) throw new Usage('--save needs a node: --rpc <url>');
  if (isOffline) return { rpcUrl: OFFLINE, ask: askFiles(o.files ?? null) };
  if (!URL.canParse(o.rpc ?? '')) throw new Usage(`--rpc ${o.rpc ?? ''} is not an address`);
  return { rpcUrl: o.rpc ?? '', ask: o.save === undefined ? postJson : askAndSave(o.save) };
}

function readArgs() {
  try {
    return parseArgs({ options: FLAGS, allowPositionals: true });
  } catch (cause) {
    throw new Usage(`${cause instanceof Error ? cause.message : ''}\n\n${HELP}`, { cause });
  }
}

async function checkOneReceipt(place: string, told: unknown, asked: Asked): Promise<Checked> {
  const document = parseDocument(place, told, proofDocument);
  const { issuer, places } = asked;
  if (asked.complete || [asked.csv, asked.rows, asked.member].some((one) => one !== undefined))
    throw new Usage('--csv, --rows, --member and --complete are for the proof of a statement');
  const [seen, served] = await Promise.all([
    lookUpProof({ document, ...places }),
    fetchServed(document, asked.gateway),
  ]);
  const evidence = evidenceOfProof({ document, issuer, seen });
  const lines = checkProof({ document, evidence, served });
  const leaf = findLeaf(evidence);
  const second = asked.unique
    ? await lookForSecond({
        rpc: places.rpc,
        trees: [...new Set([...issuer.trees.map(({ address }) => address), document.tree])],
        leaf,
        txSignature: document.tx_signature,
        fetchStored: asked.gateway === undefined ? null : fetchFrom(asked.gateway),
      })
    : null;
  const { payment } = seen;
  const again = await drawAgain({ document, issuer, seen }, asked, (metadata) =>
    sheetOfReceipt({ metadata, payment, network: issuer.network }),
  );
  return { lines: [...lines, ...again, ...(second ? [second] : [])], document, seen };
}

async function drawAgain(
  checked: Parameters<typeof evidenceOfMint>[0],
  { drawing }: Asked,
  read: (metadata: Uint8Array) => SheetReading,
): Promise<CheckLine[]> {
  if (!drawing) return [];
  const { metadata, image } = evidenceOfMint(checked);
  const drawn = { metadata: metadata.bytes, image: image.bytes, mintedAt: mintTime(checked.seen) };
  return [await checkDrawn({ reading: read(metadata.bytes), drawing, ...drawn })];
}

async function checkOneStatement(document: StatementProof, asked: Asked): Promise<Checked> {
  const { issuer, places, rows = 'all', member } = asked;
  if (asked.unique) throw new Usage('--unique is for the proof of a receipt');
  if (rows !== 'all' && rows !== 'none') throw new Usage('--rows is all or none');
  const [seen, served, csv, payments, membership] = await Promise.all([
    lookUpMint({ document, ...places }),
    fetchServed(document, asked.gateway),
    asked.csv === undefined ? null : readPlace(asked.csv),
    rows === 'none' ? ('none' as const) : lookUpRows(document.transactions ?? [], places),
    member === undefined
      ? null
      : readMember(document, member).then((one) => lookUpMember(document, one, places)),
  ]);
  const shown = { csv, payments, membership, served };
  const lines = checkStatementProof({ document, issuer, seen, ...shown });
  const again = await drawAgain({ document, issuer, seen }, asked, (metadata) =>
    sheetOfStatement({ metadata, rows: document.transactions, network: issuer.network }),
  );
  const mintedAt = mintTime(seen);
  const whole = asked.complete ? [await checkComplete({ document, mintedAt, ...places })] : [];
  return { lines: [...lines, ...again, ...whole], document, seen };
}

/** The named member: a signature with its leg, or the answer of the proof path for a row. */
async function readMember(document: StatementProof, member: string) {
  const [signature = '', leg] = member.split(':');
  if (!isSignature(signature)) return readDocument(member, rowProof);
  if (!document.transactions)
    throw new Unreadable(
      'the proof lists no transactions: give --member the answer of /statement/{statement_id}/proof/{tx_signature}',
    );
  return { signature, leg: legNumber(leg) };
}

/** Undefined: any leg. A text that is not a number matches no leg of any row. */
function legNumber(leg: string | undefined): number | undefined {
  if (leg === undefined) return undefined;
  return /^\d{1,4}$/.test(leg) ? Number(leg) : -1;
}

/** Both files from a gateway; undefined where none is asked. */
async function fetchServed(
  document: MintProof,
  gateway: string | undefined,
): Promise<ServedFiles | undefined> {
  if (gateway === undefined) return undefined;
  const fetchStored = fetchFrom(gateway);
  const fetchFile = (file: MintProof['metadata']) => fetchStored(encodeURIComponent(file.item_id));
  const [metadata, image] = await Promise.all([
    fetchFile(document.metadata),
    fetchFile(document.image),
  ]);
  return { metadata, image };
}

/** The bytes at a path of a gateway; null for none. */
function fetchFrom(gateway: string): FetchStored {
  return (path) =>
    readBytes(`${gateway.replace(/\/+$/, '')}/${path}`).catch((error: unknown) => {
      if (error instanceof Unreadable) return null;
      throw error;
    });
}

/** Ends without a check: 64 for wrong arguments, 2 for data that could not be read. */
function endWithout(error: unknown): number {
  if (error instanceof Usage) {
    console.error(error.message);
    return USAGE_EXIT_CODE;
  }
  const known = error instanceof Unreadable;
  console.error(known ? error.message : error);
  const verdict = verdictOf([]);
  console.error(`\nVerdict: ${verdict}`);
  return EXIT_CODES[verdict];
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = endWithout(error);
}
