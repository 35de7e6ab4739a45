import { z } from 'zod';
import { MEMO_PROGRAM_IDS } from '@quittance/verify/chain/programs';
import { ERRORS, type ErrorCode } from '@/server/errors';
import { USDC_DECIMALS, toDecimal } from '@quittance/verify/money';
import type { Operator } from '@/server/operator';
import { PRICE_LIST } from '@/server/payments/prices';
import type { Operation } from './operation';
import { OPERATIONS } from './operations';
import { RATE_RULES, READING_RULES, STATEMENT_RULES } from './reading-rules';

/** Where the service is, as the document names it. */
type Service = { publicUrl: string; network: string; operator: Operator };

const NAMES: Readonly<Record<number, string>> = {
  400: 'The request cannot be carried out as it is.',
  401: 'A proof of wallet is missing or wrong.',
  402: `A fee is due: the body and the PAYMENT-REQUIRED header are an offer. A payment names its quote by an SPL memo of any of the programs ${MEMO_PROGRAM_IDS.join(', ')}.`,
  403: 'The wallet may not do this.',
  404: 'There is no such thing.',
  409: 'It exists already.',
  429: 'Too many requests; see Retry-After.',
  500: 'Something failed inside the service.',
  503: 'Something the service depends on does not answer; see Retry-After.',
};

const INTRODUCTION = [
  'Receipts for payments on Solana that anyone can check. Paid operations use x402: the 402 names the price, and the same request is repeated with the payment.',
  ...[...READING_RULES, ...STATEMENT_RULES, ...RATE_RULES].map(
    ({ name, text }) => `**${name}.** ${text}`,
  ),
].join('\n\n');

/**
 * The OpenAPI 3.1 document of the REST interface, made from the zod schemas that requests and answers are
 * parsed with, the price list and the catalogue of errors.
 */
export function openapiDocument(service: Service): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describe(operation),
    };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quittance',
      version: '1',
      description: INTRODUCTION,
      termsOfService: `${service.publicUrl}/terms`,
      contact: contactOf(service.operator),
    },
    servers: [{ url: service.publicUrl, description: `Solana ${service.network}` }],
    paths,
    components: {
      securitySchemes: {
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'ADMIN_TOKEN of the settings, or the token of an operator of ADMIN_TOKENS.',
        },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['success', 'error', 'status_code', 'code', 'request_id'],
          properties: {
            success: { const: false },
            error: { type: 'string', description: 'What was tried, what was seen, what to do.' },
            status_code: { type: 'integer' },
            code: { enum: Object.keys(ERRORS) },
            request_id: { type: 'string' },
            details: { type: 'object' },
          },
        },
      },
    },
  };
}

function contactOf({ name, contact, contactUri }: Operator): Record<string, string> {
  return contactUri.startsWith('mailto:') ? { name, email: contact } : { name, url: contact };
}

function describe(operation: Operation): Record<string, unknown> {
  const { id, tag, summary, description, parameters, body, answer } = operation;
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
    responses: {
      200: {
        description: answer.description,
        content:
          'schema' in answer
            ? { 'application/json': { schema: jsonSchema(answer.schema, 'output') } }
            : { [answer.media]: {} },
      },
      ...refusals(operation.errors),
    },
    ...(tag === 'Admin' && { security: [{ adminToken: [] }] }),
    ...paymentInfo(operation),
  };
}

/** The errors of an operation by status, each with the codes that may come. */
function refusals(codes: readonly ErrorCode[]): Record<string, unknown> {
  const all = [...new Set<ErrorCode>([...codes, 'rate_limited', 'internal'].filter(isCode))];
  const statuses = [...new Set(all.map((code) => ERRORS[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: `${NAMES[status] ?? ''} Codes: ${all
          .filter((code) => ERRORS[code].status === status)
          .join(', ')}.`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function isCode(code: string): code is ErrorCode {
  return code in ERRORS;
}

/** What an operation costs, in the form that x402scan reads. */
function paymentInfo({ price }: Operation): Record<string, unknown> {
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

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  // The document names its dialect once, so the parts need not.
  return { ...z.toJSONSchema(schema, { io, unrepresentable: 'any' }), $schema: undefined };
}
