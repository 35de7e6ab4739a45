import type { Operator } from '@/server/operator';
import type { Operation } from '../operations/operation';
import { describeOperation } from './describe-operation';
import { jsonSchema } from './json-schema';
import { RATE_RULES, READING_RULES, STATEMENT_RULES } from './reading-rules';
import { errorBody, limitedBody, offerBody } from './refusal-schemas';

/** Where the service is, as the document names it. */
type Service = { publicUrl: string; network: string; operator: Operator };

const INTRODUCTION = [
  'Receipts for payments on Solana that anyone can check. Paid operations use x402: the 402 names the price, and the same request is repeated with the payment.',
  'Every other method of a path is refused with 405 (`method_not_allowed`), and a path that is not in this list with 404 (`path_not_found`), both in the shape of Error. HEAD is answered as GET without a body.',
  ...[...READING_RULES, ...STATEMENT_RULES, ...RATE_RULES].map(
    ({ name, text }) => `**${name}.** ${text}`,
  ),
].join('\n\n');

const TAGS: Readonly<Record<Operation['tag'], string>> = {
  Receipts: 'Receipts of single transactions.',
  Statements: 'Statements of many transactions of a wallet.',
  Transactions: 'What the chain says, without an account.',
  Wallets: 'What belongs to a wallet.',
  Payments: 'Prices, and what became of a payment.',
  Service: 'What the service tells about itself, and is told.',
  Admin: 'For operators alone.',
};

const text = (description: string) => ({ description, schema: { type: 'string' } });
const number = (description: string) => ({
  description,
  schema: { type: 'string', pattern: '^\\d+$' },
});

const HEADERS = {
  'X-Quittance-Version': number('Version of this interface.'),
  'X-Request-Id': text('Names the request, for the operator.'),
  'Retry-After': number('Seconds after which to send the same request again.'),
  'RateLimit-Limit': number('Requests that a window lets through.'),
  'RateLimit-Remaining': number('Requests that are left in it.'),
  'RateLimit-Reset': number('Seconds until there are more.'),
  'PAYMENT-REQUIRED': text(
    'The offer of x402 version 2, base64 of JSON; absent while the service settles no payment of standard clients.',
  ),
  'PAYMENT-RESPONSE': text('What became of the payment, as x402 version 2 tells it.'),
  'X-PAYMENT-RESPONSE': text('The same for x402 version 1.'),
};

/**
 * The OpenAPI 3.1 document of the REST interface, made from the table of operations, whose schemas are those that
 * requests and answers are parsed with, the price list and the catalogue of errors.
 */
export function openapiDocument(
  service: Service,
  table: readonly Operation[],
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of table)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation),
    };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quittance',
      version: '1',
      description: INTRODUCTION,
      termsOfService: `${service.publicUrl}/terms`,
      contact: contactOf(service.operator),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: service.publicUrl, description: `Solana ${service.network}` }],
    // Nothing is needed where an operation does not say so.
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      schemas: {
        Error: jsonSchema(errorBody, 'output'),
        Limited: jsonSchema(limitedBody, 'output'),
        Offer: jsonSchema(offerBody, 'output'),
      },
    },
  };
}

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });

const SECURITY_SCHEMES = {
  adminToken: bearer('ADMIN_TOKEN of the settings, or the token of an operator of ADMIN_TOKENS.'),
  metricsToken: bearer('METRICS_TOKEN of the settings.'),
  webhookSecret: bearer('WEBHOOK_SECRET of the settings; also bare, as Helius sends it.'),
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-quittance',
    description: 'The cookie of a sign-in on the pages.',
  },
};

function contactOf({ name, contact, contactUri }: Operator): Record<string, string> {
  return contactUri.startsWith('mailto:') ? { name, email: contact } : { name, url: contact };
}
