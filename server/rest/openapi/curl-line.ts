import { cookieName } from '@/server/api/browser-call';
import type { Operation } from '../operations/operation';
import { SAMPLES, variableOf } from '../operations/samples';
import { EXAMPLE_VARIABLES } from './paid-examples';

/** Variables of the curl lines, with those of the programs. */
export const CURL_VARIABLES: Readonly<Record<string, string>> = {
  ...EXAMPLE_VARIABLES,
  RECEIPT_ID: 'Id of a receipt: `receipt_id` in the answer that created it.',
  STATEMENT_ID: 'Id of a statement: `statement_id` in the answer that created it.',
  PAYMENT: 'Signature of a payment to the service.',
  COUNTERPARTY: 'Address of the other wallet.',
  SIGNATURE:
    'Base58 signature by the wallet over the text that `X-Wallet-Signature` of the operation names.',
  TIME: 'The time in that text, for example 2026-01-31T12:00:00Z.',
  WEBHOOK_SECRET: 'Secret that the operator shares with the sender of webhooks.',
  METRICS_TOKEN: 'Token of the operator for the metrics.',
  SESSION: 'Value of the cookie of a sign-in on the pages.',
};

const SECRETS = {
  adminToken: () => '-H "Authorization: Bearer $ADMIN_TOKEN"',
  metricsToken: () => '-H "Authorization: Bearer $METRICS_TOKEN"',
  webhookSecret: () => '-H "Authorization: Bearer $WEBHOOK_SECRET"',
  session: (publicUrl: string) => `-b "${cookieName(publicUrl)}=$SESSION"`,
} as const;

/** An operation as a line for a shell. It runs as it stands, with the variables in capitals set. */
export function curlLine(operation: Operation, publicUrl: string): string {
  const { method, parameters, body, security } = operation;
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  const headers = parameters.flatMap(({ name, variable }) =>
    variable === undefined ? [] : [`-H "${name}: $${variable}"`],
  );
  return [
    `curl -sS${isBinary(operation) ? 'O' : ''}${verb} ${quoted(urlOf(operation, publicUrl))}`,
    ...(security ? [SECRETS[security](publicUrl)] : []),
    ...(body ? ["-H 'Content-Type: application/json'"] : []),
    ...headers,
    ...(body ? [`-d ${quoted(JSON.stringify(body.example))}`] : []),
  ].join(' \\\n  ');
}

/** Files that a terminal cannot show go into a file of their name. */
function isBinary({ answers }: Operation): boolean {
  const media = Object.values(answers).flatMap((one) => ('media' in one ? one.media : []));
  return media.some((type) => /^image\/|gzip$|javascript$/.test(type));
}

function urlOf({ path, parameters }: Operation, publicUrl: string): string {
  const shown = parameters.filter(
    (one) => one.in === 'query' && (one.required || one.example !== undefined),
  );
  const query = shown.map(({ name, example = '' }) => `${name}=${example}`).join('&');
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const variable = variableOf(name);
    return variable === undefined ? whole : SAMPLES[variable];
  });
  return `${publicUrl}${filled}${query === '' ? '' : `?${query}`}`;
}

/** A text for a shell, with variables in place of the samples in it. */
function quoted(text: string): string {
  const escaped = text.replace(/[\\"`$]/g, '\\$&');
  const named = Object.entries(SAMPLES).reduce(
    (one, [name, sample]) => one.replaceAll(sample, `$${name}`),
    escaped,
  );
  return named === escaped ? `'${text.replaceAll("'", "'\\''")}'` : `"${named}"`;
}
