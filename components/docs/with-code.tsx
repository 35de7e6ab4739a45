import type { ReactNode } from 'react';

/** A text, with the parts between backticks as code. */
export function withCode(text: string): ReactNode {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
