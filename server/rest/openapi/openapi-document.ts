import { MEMO_PROGRAM_IDS } from '@quittance/verify/chain/programs';
import { toDecimal, USDC_DECIMALS } from '@quittance/verify/money';
import { z } from 'zod';
import { cookieName } from '@/server/api/browser-call';
import { type ErrorCode, ERRORS } from '@/server/errors';
import type { OperatorContact } from '@/server/operator-contact';
import { PRICE_LIST } from '@/server/payments/prices';
import { type Answer, errorsOf, type Operation } from '../operations/operation';
import { describeFields } from './field-words/describe-fields';
import exampleAnswers from './example-answers.json' with { type: 'json' };
import { HIDING_RULES, LABEL_RULES, RATE_RULES, READING_RULES, STATEMENT_RULES } from './llms-text';
import { settlement } from '@/server/use-cases/receipts/schemas';
import { REFUSAL_EXAMPLES } from './refusal-examples';
import { errorBody, limitedBody, offerBody, offerHeader, priceRangeBody } from './refusal-schemas';

/** Answers that the tests got, by operation and status; scripts/pick-examples.ts writes them. */
export const EXAMPLE_ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> =
  exampleAnswers;

/** The address of the service in the document. */
type Service = { publicUrl: string; network: string; operator: OperatorContact };

const INTRODUCTION = [
  'Receipts for payments on Solana that anyone can check. Paid operations use x402: the 402 names the price, and you repeat the same request with the payment.',
  'A method that a path does not list is answered 405 (`method_not_allowed`), an unknown path 404 (`path_not_found`). Both have the shape of Error. HEAD is answered as GET without a body.',
  ...[...READING_RULES, ...LABEL_RULES, ...STATEMENT_RULES, ...RATE_RULES, ...HIDING_RULES].map(
    ({ name, text }) => `**${name}.** ${text}`,
  ),
].join('\n\n');

const TAGS: Readonly<Record<Operation['tag'], string>> = {
  Receipts: 'Receipts of single transactions.',
  Statements: 'Statements of many transactions of a wallet.',
  Transactions: 'Transfers as the chain shows them, without an account.',
  Wallets: 'Receipts and registration of a wallet.',
  Payments: 'Prices, and the state of a payment.',
  Service: 'Keys, files, state and metrics of the service, and webhooks to it.',
  Admin: 'For operators alone.',
};

const text = (description: string) => ({ description, schema: { type: 'string' } });
const number = (description: string) => ({
  description,
  schema: { type: 'string', pattern: '^\\d+$' },
});

/** Base64 of JSON of a schema. */
const encoded = (description: string, schema: string) => ({
  description,
  schema: {
    type: 'string',
    contentEncoding: 'base64',
    contentMediaType: 'application/json',
    contentSchema: { $ref: `#/components/schemas/${schema}` },
  },
});

const HEADERS = {
  'X-Quittance-Version': number('Version of this interface.'),
  'X-Request-Id': text('Names the request, for the operator.'),
  Link: text(
    'The entry of the error on /docs, with `rel="help"`. The body of a 429 has no code, but this link has.',
  ),
  'Retry-After': number('Seconds after which to send the same request again.'),
  'RateLimit-Limit': number('Requests allowed in a window.'),
  'RateLimit-Remaining': number('Requests left in the window.'),
  'RateLimit-Reset': number('Seconds until there are more.'),
  'PAYMENT-REQUIRED': encoded(
    'The offer of x402 version 2, base64 of JSON. Absent while the service settles no payment of standard clients.',
    'OfferHeader',
  ),
  'PAYMENT-RESPONSE': encoded(
    'The result of the payment in the form of x402 version 2: base64 of JSON.',
    'Settlement',
  ),
  'X-PAYMENT-RESPONSE': encoded('The same for x402 version 1.', 'Settlement'),
};

/**
 * The OpenAPI 3.1 document of the REST interface. It is made from the table of operations, the
 * price list and the catalogue of errors. The schemas of the table are those that requests and
 * answers are parsed with.
 */
export function openapiDocument(
  service: Service,
  table: readonly Operation[],
): Record<string, unknown> {
  const { errors, limited, offer, offerInHeader, priceRange } = REFUSAL_EXAMPLES;
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
      securitySchemes: securitySchemes(service.publicUrl),
      headers: HEADERS,
      schemas: {
        Error: { ...jsonSchema(errorBody, 'output'), examples: Object.values(errors) },
        Limited: { ...jsonSchema(limitedBody, 'output'), examples: [limited] },
        Offer: { ...jsonSchema(offerBody, 'output'), examples: [offer] },
        OfferHeader: { ...jsonSchema(offerHeader, 'output'), examples: [offerInHeader] },
        PriceRange: { ...jsonSchema(priceRangeBody, 'output'), examples: [priceRange] },
        Settlement: jsonSchema(settlement, 'output'),
      },
    },
  };
}

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });

const securitySchemes = (publicUrl: string) => ({
  adminToken: bearer('ADMIN_TOKEN of the settings, or the token of an operator of ADMIN_TOKENS.'),
  metricsToken: bearer('METRICS_TOKEN of the settings.'),
  webhookSecret: bearer(
    'WEBHOOK_SECRET of the settings. It may come without `Bearer`, as Helius sends it.',
  ),
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName(publicUrl),
    description: 'The cookie of a sign-in on the pages.',
  },
});

function contactOf({ name, contact, contactUri }: OperatorContact): Record<string, string> {
  return contactUri.startsWith('mailto:') ? { name, email: contact } : { name, url: contact };
}

type Json = Record<string, unknown>;

const NAMES: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'A proof of wallet is missing or wrong.',
  402: `A fee is due. The body and the PAYMENT-REQUIRED header are an offer. A payment names its quote by an SPL memo of any of these programs: ${MEMO_PROGRAM_IDS.join(', ')}. An empty body without a payment is answered with the price range instead, and opens no quote.`,
  403: 'The wallet may not do this.',
  404: 'There is no such thing.',
  409: 'The resource is closed, or it exists already.',
  413: 'The body is too large.',
  415: 'The body is not declared as JSON.',
  429: 'Too many requests; see Retry-After.',
  500: 'Something failed inside the service.',
  503: 'A part that the service depends on does not answer. See Retry-After.',
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
    parameters: parameters.map(({ example, variable: _, ...parameter }) => ({
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
    ...(refusal ? ['Link', ...(REFUSAL_HEADERS[status] ?? [])] : []),
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

/** Files have no schema: their contents are signed, or laid out for a program. */
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

/** The price of an operation, in the form that x402scan reads. */
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

/** A zod schema as the document has it, with the meaning of each field. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const known = made[io].get(schema);
  if (known) return known;
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  // The document names its dialect once, so the parts need not.
  const part = Object.fromEntries(Object.entries(json).filter(([name]) => name !== '$schema'));
  const described = describeFields(part);
  made[io].set(schema, described);
  return described;
}
