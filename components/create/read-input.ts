import type { Messages } from '@/i18n/messages';

/** What a reader put into the field, and the part of it that counts. */
type Input =
  | { kind: 'empty' }
  | { kind: 'signature'; value: string }
  | { kind: 'wallet'; value: string }
  /** A name that the service looks up, in lower case. */
  | { kind: 'name'; value: string }
  /** A page of this service: a receipt or a statement. */
  | { kind: 'page'; path: string; page: 'receipt' | 'statement'; id: string }
  | Other;

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

/**
 * One label under `.sol` or `.sns`. ASCII alone, and no `u` flag: with it, the case of letters like the Kelvin sign would
 * fold into ASCII. Any other letter can look like one of these, and a second dot hides whose name it is.
 */
const NAME = /^[a-z0-9_-]{1,63}\.(sol|sns)$/i;

/** The name in a text, in lower case, as registries keep it; null for anything else. */
export function readName(text: string): string | null {
  return NAME.test(text) ? text.toLowerCase() : null;
}

/** The signature of the payment that a page address names in `tx`; null where it names none. */
export function chosenSignature(tx: string | null): string | null {
  return tx !== null && SIGNATURE.test(tx) ? tx : null;
}

/**
 * Reads a signature, a wallet address, or a link to either in any explorer; with quotes or marks around it, as
 * chats and spreadsheets add them. A link to a receipt, a statement or a block, a name that is not looked up,
 * and anything else get an answer of their own.
 */
export function readInput(text: string): Input {
  const given = text.trim().replace(/^[\s"'`“”‘’«»<>()[\]]+|[\s"'`“”‘’«»<>()[\],.;]+$/g, '');
  if (given === '') return { kind: 'empty' };
  const bare = readBare(given);
  if (bare) return bare;
  if (/^(https?:\/\/)?[\w.-]+(:\d+)?\/.+/i.test(given)) return readLink(given);
  const name = readName(given);
  if (name !== null) return { kind: 'name', value: name };
  if (/\.(sol|sns)[^a-z0-9]*$/i.test(given)) return { kind: 'other', why: 'name' };
  if (/^0x[0-9a-f]{40,64}$/i.test(given)) return { kind: 'other', why: 'ethereum' };
  if (new RegExp(`^${LETTERS}{45,}$`).test(given))
    return { kind: 'other', why: 'length', values: { count: given.length } };
  return { kind: 'other', why: 'neither' };
}

function readBare(given: string): Input | null {
  const tx = chosenSignature(given);
  if (tx !== null) return { kind: 'signature', value: tx };
  return WALLET.test(given) ? { kind: 'wallet', value: given } : null;
}

function readLink(given: string): Input {
  const address = /^https?:\/\//i.test(given) ? given : `https://${given}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url) return { kind: 'other', why: 'badLink' };
  const page = /^\/([rs])\/([0-9A-Za-z]{8,32})\/?$/.exec(url.pathname);
  if (page?.[1] !== undefined && page[2] !== undefined)
    return {
      kind: 'page',
      path: `/${page[1]}/${page[2]}`,
      page: page[1] === 'r' ? 'receipt' : 'statement',
      id: page[2],
    };
  const parts = [...url.pathname.split('/'), url.searchParams.get('tx') ?? ''];
  const found = parts.flatMap((part) => readBare(part) ?? []);
  const kind = /\/(token|mint|nft|block|validator|program)s?\//i.exec(url.pathname)?.[1];
  if (kind !== undefined && found[0]?.kind !== 'signature')
    return { kind: 'other', why: 'linkTo', values: { kind: kind.toLowerCase() } };
  return (
    found.find((one) => one.kind === 'signature') ?? found[0] ?? { kind: 'other', why: 'nothing' }
  );
}
