import type { RequestContext } from './request-context';

/** A request of an operator; `actor` is how the audit log names who did it. */
export type AdminContext = RequestContext & { actor: string };
