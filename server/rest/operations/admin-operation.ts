import type { Operation } from './operation';

type Short = Omit<Operation, 'tag' | 'parameters' | 'security'> &
  Partial<Pick<Operation, 'parameters'>>;

/**
 * An operation for operators, with `Authorization: Bearer`; `npm run admin` calls them. Each action has an audit row
 * that names the operator.
 */
export const admin = (operation: Short): Operation => ({
  parameters: [],
  ...operation,
  tag: 'Admin',
  security: 'adminToken',
});
