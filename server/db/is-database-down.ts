/** Prisma's codes for "cannot reach", "timed out", "closed" and a full pool. */
const DATABASE_DOWN = /^(P1001|P1002|P1008|P1017|P2024|P2028|P2034|P2037)$/;
/**
 * PostgreSQL's codes for shutdown, a statement timeout, too many connections and connection
 * trouble. Prisma carries them in its text, whether the query was raw or of a model.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SQLSTATE_DOWN = /Code: `(57P0[123]|57014|53300|08\w{3})`/;
const CONNECTION_LOST =
  /Can't reach database server|Connection terminated|server closed the connection|timeout exceeded when trying to connect/i;

/** Whether an error says that the database did not answer, so that the same request may be repeated. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    DATABASE_DOWN.test(code) ||
    SQLSTATE_DOWN.test(error.message) ||
    CONNECTION_LOST.test(error.message)
  );
}
