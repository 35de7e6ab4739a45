import type { FieldRow } from './list-fields';
import reference from './reference.json' with { type: 'json' };

/** A name of the interface with its meaning. The meaning has code between backticks. It may be empty. */
export type Entry = {
  name: string;
  /** Something about the name, such as its type. */
  note?: string;
  text: string;
  /** The anchor of the entry. */
  id?: string;
};

export type TryParameter = {
  name: string;
  /** False for a part of the path. */
  inQuery: boolean;
  required: boolean;
  example: string;
  /** Whether the example leads to an answer on every instance, so that the field begins with it. */
  isFilled: boolean;
};

/** An answer that is not a refusal. */
export type ReferenceAnswer = {
  status: string;
  text: string;
  fields: FieldRow[];
  /** A body that the tests got. */
  example?: unknown;
};

export type ReferenceOperation = {
  id: string;
  tag: string;
  /** In capitals. */
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Entry[];
  /** The fields of the request's body. */
  body: FieldRow[];
  answers: ReferenceAnswer[];
  /** Codes by their status, lowest first. */
  refusals: { status: number; codes: string[] }[];
  /** The form that sends a request. Absent if a request needs a secret or a signature. */
  form?: { parameters: TryParameter[]; body: string | null };
};

type Shape = { fields: FieldRow[]; example?: unknown };

export type Reference = {
  tags: string[];
  rules: { id: string; title: string; rules: { name: string; text: string }[] }[];
  operations: ReferenceOperation[];
  errors: Entry[];
  errorFields: FieldRow[];
  /** Refusals that the tests got. */
  refusals: { status: string; example: unknown }[];
  shapes: Record<'offer' | 'offerInHeader' | 'priceRange' | 'settlement', Shape>;
};

/**
 * The parts of the reference that are the same on every instance. `npm run docs` writes them from the
 * table of operations. The browser gets them as code, once. As elements from the server, the page
 * would carry them a second time, beside its HTML.
 */
export const REFERENCE: Reference = reference;
