import { z } from 'zod';
import { isPrivateHost } from './ip-address';

const CONTACT = 'must be a mail address or an https URL';
/** Letters, marks, numbers, punctuation and spaces: no line break gets into a header or a file of lines. */
const ONE_LINE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

/** The operator of the service, as variables of the environment. */
export const operatorVariables = {
  OPERATOR_NAME: z
    .string()
    .trim()
    .min(2, 'must have at least 2 characters')
    .max(120, 'must have at most 120 characters')
    .regex(ONE_LINE, 'must be one line of text')
    .optional(),
  OPERATOR_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https$/ })], { error: CONTACT })
    .optional(),
};
type Variables = z.output<z.ZodObject<typeof operatorVariables>>;

export type OperatorContact = {
  name: string;
  /** Mail address or https URL, in the form for people. */
  contact: string;
  /** The same as a URI. */
  contactUri: string;
};

/**
 * The operator of the embedded stack; `.invalid` is a name that can belong to nobody (RFC 2606).
 */
const TEST_SERVICE = {
  name: 'Test service without an operator',
  contact: 'nobody@test-service.invalid',
} as const;

/** The operator, and what is wrong with these settings. On `local` both have a default. */
export function operatorSettings(
  v: Variables,
  o: { isLocal: boolean; network: string },
): { operator: OperatorContact; faults: string[] } {
  const name = v.OPERATOR_NAME ?? TEST_SERVICE.name;
  const contact = v.OPERATOR_CONTACT ?? TEST_SERVICE.contact;
  const isUrl = contact.startsWith('https:');
  const operator = { name, contact, contactUri: isUrl ? contact : `mailto:${contact}` };
  if (o.isLocal) return { operator, faults: [] };
  const missing = (['OPERATOR_NAME', 'OPERATOR_CONTACT'] as const)
    .filter((setting) => v[setting] === undefined)
    .map((setting) => `${setting} must be set on ${o.network}`);
  const unreachable =
    isUrl && isPrivateHost(contact)
      ? [`OPERATOR_CONTACT must not point at this machine or a private network on ${o.network}`]
      : [];
  return { operator, faults: [...missing, ...unreachable] };
}

/** A text for a caller; one that speaks of the operator says who that is and how to reach it. */
export function nameOperator(text: string, { name, contact }: OperatorContact): string {
  return speaksOfOperator(text) ? `${text} Operator: ${name}, ${contact}` : text;
}

export function speaksOfOperator(text: string): boolean {
  return /\boperator\b/i.test(text);
}
