/** What a wallet shows and signs for Sign-In With Solana, all of it chosen by the service. */
export type SignInInput = {
  domain: string;
  address: string;
  statement: string;
  uri: string;
  version: '1';
  chainId: string;
  nonce: string;
  issuedAt: string;
  expirationTime: string;
};

export type SignInFields = {
  domain: string;
  address: string;
  statement: string | null;
  /** Values by name (`URI`, `Nonce`, …), each at most once. */
  fields: ReadonlyMap<string, string>;
};

/** Fields of the message in their order, and the name of each in the input. */
const FIELDS = [
  ['URI', 'uri'],
  ['Version', 'version'],
  ['Chain ID', 'chainId'],
  ['Nonce', 'nonce'],
  ['Issued At', 'issuedAt'],
  ['Expiration Time', 'expirationTime'],
] as const;
/** Further ones that a wallet may add (phantom/sign-in-with-solana, ABNF). */
const OTHER_FIELDS = ['Not Before', 'Request ID'];
const NAMES: readonly string[] = [...FIELDS.map(([name]) => name), ...OTHER_FIELDS];

/** The message as wallets with `signIn` write it, for those that can only sign text. */
export function writeSignInMessage(input: SignInInput): string {
  return [
    `${input.domain} wants you to sign in with your Solana account:`,
    input.address,
    '',
    input.statement,
    '',
    ...FIELDS.map(([name, key]) => `${name}: ${input[key]}`),
  ].join('\n');
}

/** Takes a message apart; null when it is not exactly of the form. Resources are passed over. */
export function parseSignInMessage(text: string): SignInFields | null {
  const [first = '', address = '', blank, ...rest] = text.split('\n');
  const domain = /^(\S+) wants you to sign in with your Solana account:$/.exec(first)?.[1];
  if (domain === undefined || blank !== '') return null;
  const hasStatement = rest[1] === '';
  const statement = hasStatement ? (rest[0] ?? null) : null;
  const lines = hasStatement ? rest.slice(2) : rest;
  const end = lines.indexOf('Resources:');
  if (end >= 0 && !lines.slice(end + 1).every((line) => line.startsWith('- '))) return null;
  const fields = new Map<string, string>();
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const name = NAMES.find((known) => line.startsWith(`${known}: `));
    if (name === undefined || fields.has(name)) return null;
    fields.set(name, line.slice(name.length + 2));
  }
  return { domain, address, statement, fields };
}
