import { MEMO_PROGRAM_IDS } from '@quittance/verify/chain/programs';
import { toDecimal, USDC_DECIMALS } from '@quittance/verify/money';
import { z } from 'zod';
import { type ErrorCode, ERRORS } from '@/server/errors';
import type { OperatorContact } from '@/server/operator-contact';
import { PRICE_LIST } from '@/server/payments/prices';
import { type Answer, errorsOf, type Operation } from '../operations/operation';
import exampleAnswers from './example-answers.json' with { type: 'json' };
import { RATE_RULES, READING_RULES, STATEMENT_RULES } from './llms-text';
import { errorBody, limitedBody, offerBody, priceRangeBody } from './refusal-schemas';

/** Answers that the tests got, by operation and status; scripts/pick-examples.ts writes them. */
export const EXAMPLE_ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> =
  exampleAnswers;

/** Where the service is, as the document names it. */
type Service = { publicUrl: string; network: string; operator: OperatorContact };

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
  Service: 'What the service says about itself, and what is reported to it.',
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
        PriceRange: jsonSchema(priceRangeBody, 'output'),
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

function contactOf({ name, contact, contactUri }: OperatorContact): Record<string, string> {
  return contactUri.startsWith('mailto:') ? { name, email: contact } : { name, url: contact };
}

type Json = Record<string, unknown>;

const NAMES: Readonly<Record<number, string>> = {
  400: 'The request cannot be carried out as it is.',
  401: 'A proof of wallet is missing or wrong.',
  402: `A fee is due: the body and the PAYMENT-REQUIRED header are an offer. A payment names its quote by an SPL memo of any of the programs ${MEMO_PROGRAM_IDS.join(', ')}. An empty body without a payment is answered with the price range instead, and opens no quote.`,
  403: 'The wallet may not do this.',
  404: 'There is no such thing.',
  409: 'It is not open any more, or exists already.',
  413: 'The body is too large.',
  415: 'The body is not declared as JSON.',
  429: 'Too many requests; see Retry-After.',
  500: 'Something failed inside the service.',
  503: 'Something the service depends on does not answer; see Retry-After.',
};

/** Names of the headers that may come, by status, beside those of every answer. */
const REFUSAL_HEADERS: Readonly<Record<number, readonly string[]>> = {
  402: ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'],
  429: ['Retry-After'],
  503: ['Retry-After', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'],
};
const EVERY_HEADER = ['X-Quittance-Version', 'X-Request-Id'];
const LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const SCHEMA_OF: Readonly<Record<number, string>> = { 402: 'Offer', 429: 'Limited' };

/** An operation of the table in OpenAPI: each of its answers by status, with body and headers. */
function describeOperation(operation: Operation): Json {
  const { id, tag, summary, description, parameters, body, security } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: parameters.map(({ example, ...parameter }) => ({
      ...parameter,
      schema: { type: 'string' },
      ...(example === undefined ? {} : { example }),
    })),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: jsonSchema(body.schema, 'input'), example: body.example },
        },
      },
    }),
    responses: responsesOf(operation),
    ...(security && { security: [{ [security]: [] }] }),
    ...paymentInfo(operation),
  };
}

function responsesOf(operation: Operation): Json {
  const codes = errorsOf(operation);
  const statuses = new Set([
    ...Object.keys(operation.answers).map(Number),
    ...codes.map((code) => ERRORS[code].status),
  ]);
  return Object.fromEntries(
    [...statuses]
      .sort((one, other) => one - other)
      .map((status) => [status, responseOf(operation, status, codesOf(codes, status))]),
  );
}

const codesOf = (codes: readonly ErrorCode[], status: number) =>
  codes.filter((code) => ERRORS[code].status === status);

/** One status may be an answer and a refusal, as 409 and 503 are. */
function responseOf(operation: Operation, status: number, codes: readonly ErrorCode[]): Json {
  const answer = operation.answers[status];
  const refusal = codes.length === 0 ? null : refusalSchema(status, codes);
  const description = [
    ...(answer ? [answer.description] : []),
    ...(refusal ? [`${NAMES[status] ?? ''} Codes: ${codes.join(', ')}.`] : []),
  ].join(' ');
  const headers = [
    ...EVERY_HEADER,
    ...(operation.limit === null ? [] : LIMIT_HEADERS),
    ...(answer?.headers ?? []),
    ...(refusal ? (REFUSAL_HEADERS[status] ?? []) : []),
  ];
  return {
    description,
    headers: Object.fromEntries(headers.map((name) => [name, headerOf(name)])),
    content: contentOf(answer, refusal, EXAMPLE_ANSWERS[operation.id]?.[status]),
  };
}

function contentOf(answer: Answer | undefined, refusal: Json | null, example: unknown): Json {
  const schemas = [
    ...(answer && 'schema' in answer ? [jsonSchema(answer.schema, 'output')] : []),
    ...(refusal ? [refusal] : []),
  ];
  const [first, second] = schemas;
  return {
    ...(answer && 'media' in answer ? fileContent(answer.media) : {}),
    ...(first && {
      'application/json': {
        schema: second ? { anyOf: schemas } : first,
        ...(example === undefined ? {} : { example }),
      },
    }),
  };
}

/** Files are no schema's: what is in them is signed, or laid out for a program. */
function fileContent(media: readonly string[]): Json {
  return Object.fromEntries(media.map((type) => [type, {}]));
}

const PRICE_RANGE: Json = { $ref: '#/components/schemas/PriceRange' };

/** The shape of a refusal of a status, with the codes that this operation may give it. */
function refusalSchema(status: number, codes: readonly ErrorCode[]): Json {
  const $ref = `#/components/schemas/${SCHEMA_OF[status] ?? 'Error'}`;
  // A 429 has no code in its body.
  if (status === 429) return { $ref };
  const schema = { allOf: [{ $ref }, { type: 'object', properties: { code: { enum: codes } } }] };
  return status === 402 ? { anyOf: [schema, PRICE_RANGE] } : schema;
}

const headerOf = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** What an operation costs, in the form that x402scan reads. */
function paymentInfo({ price }: Operation): Json {
  const listed = PRICE_LIST.find((route) => route.path === price);
  if (!listed) return {};
  return {
    'x-payment-info': {
      protocols: ['x402'],
      pricingMode: 'range',
      minPrice: toDecimal(listed.leastMicros, USDC_DECIMALS),
      maxPrice: toDecimal(listed.mostMicros, USDC_DECIMALS),
      description: listed.rule,
    },
  };
}

/** Schemas are made once: a page and a document with all of them are asked for often. */
const made = { input: new WeakMap<z.ZodType, Json>(), output: new WeakMap<z.ZodType, Json>() };

/** A zod schema as the document has it. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const known = made[io].get(schema);
  if (known) return known;
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  // The document names its dialect once, so the parts need not.
  const part = Object.fromEntries(Object.entries(json).filter(([name]) => name !== '$schema'));
  made[io].set(schema, part);
  return part;
}
