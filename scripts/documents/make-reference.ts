import { listFields } from '@/components/docs/list-fields';
import type {
  Reference,
  ReferenceAnswer,
  ReferenceOperation,
  TryParameter,
} from '@/components/docs/reference';
import { type ErrorCode, ERRORS } from '@/server/errors';
import {
  HIDING_RULES,
  LABEL_RULES,
  RATE_RULES,
  READING_RULES,
  STATEMENT_RULES,
} from '@/server/rest/openapi/llms-text';
import { EXAMPLE_ANSWERS, jsonSchema } from '@/server/rest/openapi/openapi-document';
import { REFUSAL_EXAMPLES } from '@/server/rest/openapi/refusal-examples';
import {
  errorBody,
  offerBody,
  offerHeader,
  priceRangeBody,
} from '@/server/rest/openapi/refusal-schemas';
import { type Answer, errorsOf, type Operation } from '@/server/rest/operations/operation';
import { OPERATIONS } from '@/server/rest/operations/operations';
import { settlement } from '@/server/use-cases/receipts/schemas';

const TAGS = ['Receipts', 'Statements', 'Transactions', 'Wallets', 'Payments', 'Service'];

/** Samples that name something of another instance. Everything else can be asked for anywhere. */
const FOREIGN: ReadonlySet<string> = new Set(['receipt_id', 'statement_id', 'signature']);

const { errors, limited, offer, offerInHeader, priceRange } = REFUSAL_EXAMPLES;

/** The reference of the REST interface as plain data, for the page /docs. */
export function makeReference(): Reference {
  return {
    tags: TAGS,
    rules: [
      { id: 'reading', title: 'How a transaction is read', rules: [...READING_RULES] },
      { id: 'labels', title: 'Labels', rules: [...LABEL_RULES] },
      { id: 'stating', title: 'Rows of a statement', rules: [...STATEMENT_RULES] },
      { id: 'rates', title: 'Values and rates', rules: [...RATE_RULES] },
      { id: 'hiding', title: 'How labels are hidden', rules: [...HIDING_RULES] },
    ],
    operations: OPERATIONS.filter(({ tag }) => TAGS.includes(tag)).map(operationOf),
    errors: Object.entries(ERRORS).map(([code, { status, cause, fix }]) => ({
      name: code,
      note: String(status),
      text: `${cause} ${fix}`,
      id: `error-${code}`,
    })),
    errorFields: listFields(jsonSchema(errorBody, 'output')),
    refusals: Object.entries({ ...errors, 429: limited }).map(([status, example]) => ({
      status,
      example,
    })),
    shapes: {
      offer: { fields: listFields(jsonSchema(offerBody, 'output')), example: offer },
      offerInHeader: {
        fields: listFields(jsonSchema(offerHeader, 'output')),
        example: offerInHeader,
      },
      priceRange: { fields: listFields(jsonSchema(priceRangeBody, 'output')), example: priceRange },
      settlement: { fields: listFields(jsonSchema(settlement, 'output')) },
    },
  };
}

function operationOf(operation: Operation): ReferenceOperation {
  const { id, tag, method, path, summary, description, parameters, body, answers } = operation;
  const form = formOf(operation);
  return {
    id,
    tag,
    path,
    summary,
    description,
    method: method.toUpperCase(),
    parameters: parameters.map(({ name, in: place, required, description: text }) => ({
      name,
      text,
      note: `${place}${required ? ', required' : ''}`,
    })),
    body: body ? listFields(jsonSchema(body.schema, 'input')) : [],
    answers: Object.entries(answers).map(([status, answer]) => answerOf(id, status, answer)),
    refusals: byStatus(errorsOf(operation)),
    ...(form ? { form } : {}),
  };
}

function answerOf(id: string, status: string, answer: Answer): ReferenceAnswer {
  const example = EXAMPLE_ANSWERS[id]?.[status];
  return {
    status,
    text: [
      `${answer.description}${'media' in answer ? ` ${answer.media.join(', ')}` : ''}`,
      ...(answer.headers ? [`Headers: ${answer.headers.join(', ')}.`] : []),
    ].join(' '),
    fields: 'schema' in answer ? listFields(jsonSchema(answer.schema, 'output')) : [],
    ...(example === undefined ? {} : { example }),
  };
}

/** For reads and for the two routes that answer with a price. The others need a secret or a signature. */
function formOf({ method, parameters, body, security, price }: Operation) {
  if (security !== undefined || (method !== 'get' && price === undefined)) return null;
  return {
    parameters: parameters.flatMap(({ name, in: place, required, example = '' }): TryParameter[] =>
      place === 'header'
        ? []
        : [
            {
              name,
              inQuery: place === 'query',
              required,
              example,
              isFilled: required && !FOREIGN.has(name),
            },
          ],
    ),
    body: body ? JSON.stringify(body.example, null, 2) : null,
  };
}

/** Codes by their status, lowest first. */
function byStatus(codes: readonly ErrorCode[]): ReferenceOperation['refusals'] {
  const found = new Map<number, string[]>();
  for (const code of codes)
    found.set(ERRORS[code].status, [...(found.get(ERRORS[code].status) ?? []), code]);
  return [...found]
    .sort(([one], [other]) => one - other)
    .map(([status, ofStatus]) => ({ status, codes: ofStatus }));
}
