import type { Messages } from '@/i18n/messages';

/** The reader's input in the field, reduced to the part that counts. */
export type Input =
  | { kind: 'empty' }
  | { kind: 'signature'; value: string }
  | { kind: 'wallet'; value: string }
  /** A name that the service resolves, in lower case. */
  | { kind: 'name'; value: string }
  /** A page of this service: a receipt or a statement. */
  | Page
  | Other;

type Page = { kind: 'page'; path: string; page: 'receipt' | 'statement'; id: string };

/** Neither: a text of `create.input` says why, with its values. */
export type Other = {
  kind: 'other';
  why: keyof Messages['create']['input'];
  values?: Readonly<Record<string, string | number>>;
};

const LETTERS = '[1-9A-HJ-NP-Za-km-z]';
// Patterns, because a schema library would add 30 kB to the first load of the page.
const SIGNATURE = new RegExp(`^${LETTERS}{80,88}$`);
const WALLET = new RegExp(`^${LETTERS}{32,44}$`);
/** Ids in the form that the service makes: Crockford's base 32, without I, L, O, U. */
const RECEIPT_ID = /^[0-9A-HJKMNP-TV-Z]{12}$/;
const STATEMENT_ID = /^STMT[0-9A-HJKMNP-TV-Z]{8}$/;
/** Too long for a wallet: a part of a signature, or more than one. */
const LONG = new RegExp(`^${LETTERS}{45,}$`);

/** Spaces, and the quotes and marks that chats, spreadsheets and Markdown put around a text. */
const MARKS = '\\s\\p{Pi}\\p{Pf}\\p{Ps}\\p{Pe}"\'`´*~|>#';
const END = `[${MARKS},.;]`;
// An end is sought only where a run of its letters begins: from each letter, it would be quadratic.
const AROUND = new RegExp(`^[${MARKS}]+(?:${END}+$)?|(?<!${END})${END}+$`, 'gu');
/** Invisible letters: joiners, marks of direction, soft hyphens, byte order marks. */
const UNSEEN = /[\p{Cf}\u034f]/gu;

/**
 * One label under `.sol` or `.sns`. ASCII alone, and no `u` flag: with it, the case of letters like
 * the Kelvin sign would fold into ASCII. Any other letter can look like one of these. A second dot
 * hides the owner of the name.
 */
const NAME = /^[a-z0-9_-]{1,63}\.(sol|sns)$/i;

/** The name in a text, in lower case like in the registries. Null for anything else. */
export function readName(text: string): string | null {
  return NAME.test(text) ? text.toLowerCase() : null;
}

/**
 * The signature of the payment that a page address names in `tx`, read like the field: mails add a
 * full stop to links, and people paste links of explorers. Null when it names none.
 */
export function chosenSignature(tx: string | null): string | null {
  const read = readInput(tx ?? '', []);
  return read.kind === 'signature' ? read.value : null;
}

/**
 * Reads a signature, a wallet address, or a link to either in any explorer. Words, quotes, marks
 * and invisible letters around it are ignored. A link to a receipt, a statement or a block, an
 * unsupported name, and anything else each get a specific answer. `ownHosts` are the hosts of this
 * service.
 */
export function readInput(text: string, ownHosts: readonly string[]): Input {
  const given = withoutMarks(text);
  const seen = withoutMarks(given.replace(UNSEEN, ''));
  if (seen === '') return { kind: 'empty' };
  const words = seen.split(/[^0-9a-z]+/i);
  const signature = onlyOne(words, SIGNATURE, 'signature');
  if (signature) return signature;
  const link = linkIn(seen);
  if (link !== null) return readLink(link, ownHosts);
  const id = /^(?:[^\s:]+[\s:]+)?(\w+)$/.exec(seen)?.[1];
  return (
    onlyOne(words, WALLET, 'wallet') ??
    (id === undefined ? null : pageOf(id)) ??
    readNamed(given) ?? { kind: 'other', ...reasonFor(seen, words) }
  );
}

/** A text without the marks at its start, and without the marks and punctuation at its end. */
export function withoutMarks(text: string): string {
  return text.replace(AROUND, '');
}

/** The one word of a kind, even if it is repeated. Several different ones are ambiguous. */
function onlyOne(
  words: readonly string[],
  pattern: RegExp,
  kind: 'signature' | 'wallet',
): Input | null {
  const found = [...new Set(words.filter((word) => pattern.test(word)))];
  const [value] = found;
  if (value === undefined) return null;
  if (found.length === 1) return { kind, value };
  return { kind: 'other', why: 'several', values: { count: found.length } };
}

/** Invisible letters stay in a name: without them it would be another name. */
function readNamed(given: string): Input | null {
  const value = readName(given);
  if (value !== null) return { kind: 'name', value };
  return /\.(sol|sns)[^a-z0-9]*$/i.test(given) ? { kind: 'other', why: 'name' } : null;
}

function reasonFor(seen: string, words: readonly string[]): Omit<Other, 'kind'> {
  if (/^0x[0-9a-f]{40,64}$/i.test(seen)) return { why: 'ethereum' };
  const long = words.find((word) => LONG.test(word));
  return long === undefined
    ? { why: 'neither' }
    : { why: 'length', values: { count: long.length } };
}

/** The link in a text, complete or without its scheme or host. Null when there is none. */
function linkIn(seen: string): string | null {
  const whole = /https?:\/\/[^\s"<>|)\]]+/i.exec(seen)?.[0];
  if (whole !== undefined) return whole;
  if (/^\/[a-z]/i.test(seen)) return seen;
  return /^([\w-]+\.)+\w+(:\d+)?[/?#]|^localhost(:\d+)?\//i.test(seen) ? `https://${seen}` : null;
}

function readLink(link: string, ownHosts: readonly string[]): Input {
  // A path without a host belongs to this service.
  const base = `https://${ownHosts[0] ?? 'localhost'}`;
  const url = URL.canParse(link, base) ? new URL(link, base) : null;
  if (!url) return { kind: 'other', why: 'badLink' };
  const isOurs = ownHosts.includes(url.host);
  const id = /^\/(?:r|s|receipt|statement|mint\/status)\/(\w+)/.exec(url.pathname)?.[1];
  const page = id === undefined ? null : pageOf(id);
  if (page) return isOurs ? page : { kind: 'other', why: 'elsewhere', values: { host: url.host } };
  return (
    readPath([...url.pathname.split('/'), ...url.hash.split(/[/?&=]/)]) ??
    onlyOne([...url.searchParams.values()], WALLET, 'wallet') ?? {
      kind: 'other',
      why: isOurs ? 'ownPage' : 'nothing',
    }
  );
}

/** The wallet in the parts of a path, or the other thing that the path leads to. */
function readPath(parts: readonly string[]): Input | null {
  const long = parts.find((part) => LONG.test(part));
  if (long !== undefined) return { kind: 'other', ...reasonFor(long, [long]) };
  const at = parts.findIndex((part) => WALLET.test(part));
  const kinds = at < 0 ? parts.slice(0, -1) : parts.slice(at - 1, at);
  const kind = kinds
    .map((part) => /^(token|mint|nft|block|validator|program)s?$/i.exec(part)?.[1])
    .find((one) => one !== undefined);
  if (kind !== undefined)
    return { kind: 'other', why: 'linkTo', values: { kind: kind.toLowerCase() } };
  const wallet = parts[at];
  return wallet === undefined ? null : { kind: 'wallet', value: wallet };
}

/** The page of a receipt or a statement by its id. Null for any other text. */
function pageOf(id: string): Page | null {
  // A statement's id also has the form of a receipt's id.
  if (STATEMENT_ID.test(id)) return { kind: 'page', path: `/s/${id}`, page: 'statement', id };
  return RECEIPT_ID.test(id) ? { kind: 'page', path: `/r/${id}`, page: 'receipt', id } : null;
}
