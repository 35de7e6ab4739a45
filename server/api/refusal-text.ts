import { env } from '@/server/env';
import type { ServiceError } from '@/server/errors';
import { nameOperator, speaksOfOperator } from '@/server/operator';

/** The text of a refusal; one that sends the caller to the operator says who that is. */
export function refusalText({ message }: ServiceError): string {
  return speaksOfOperator(message) ? nameOperator(message, env().operator) : message;
}
