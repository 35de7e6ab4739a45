import { MEMO_PROGRAM_IDS } from '@quittance/verify/chain/programs';
import { ERRORS, type ErrorCode } from '@/server/errors';
import { USDC_DECIMALS, toDecimal } from '@quittance/verify/money';
import { PRICE_LIST } from '@/server/payments/prices';
import { errorsOf, type Answer, type Operation } from '../operations/operation';
import { jsonSchema } from './json-schema';

type Json = Record<string, unknown>;

const NAMES: Readonly<Record<number, string>> = {
  400: 'The request cannot be carried out as it is.',
  401: 'A proof of wallet is missing or wrong.',
  402: `A fee is due: the body and the PAYMENT-REQUIRED header are an offer. A payment names its quote by an SPL memo of any of the programs ${MEMO_PROGRAM_IDS.join(', ')}.`,
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

/** An operation of the table as OpenAPI tells it: each of its answers by status, with body and headers. */
export function describeOperation(operation: Operation): Json {
  const { id, tag, summary, description, parameters, body, security } = operation;
  return {
    operationId: id,
    tags: [tag],
    ...{ summary, description },
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
    content: contentOf(answer, refusal),
  };
}

function contentOf(answer: Answer | undefined, refusal: Json | null): Json {
  const schemas = [
    ...(answer && 'schema' in answer ? [jsonSchema(answer.schema, 'output')] : []),
    ...(refusal ? [refusal] : []),
  ];
  const [first, second] = schemas;
  return {
    ...(answer && 'media' in answer ? fileContent(answer.media) : {}),
    ...(first && { 'application/json': { schema: second ? { anyOf: schemas } : first } }),
  };
}

/** Files are no schema's: what is in them is signed, or laid out for a program. */
function fileContent(media: readonly string[]): Json {
  return Object.fromEntries(media.map((type) => [type, {}]));
}

/** The shape of a refusal of a status, with the codes that this operation may give it. */
function refusalSchema(status: number, codes: readonly ErrorCode[]): Json {
  const $ref = `#/components/schemas/${SCHEMA_OF[status] ?? 'Error'}`;
  // A 429 has no code in its body.
  if (status === 429) return { $ref };
  return { allOf: [{ $ref }, { type: 'object', properties: { code: { enum: codes } } }] };
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
