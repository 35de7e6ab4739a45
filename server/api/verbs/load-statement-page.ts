import { toServiceError } from '../trpc';
import { pageCaller } from '../page-caller';
import type { StatementBody } from '../statement-schemas';

/** The statement a page shows, through the same procedure as the REST path; null when there is none. */
export async function loadStatementPage(statementId: string): Promise<StatementBody | null> {
  const caller = await pageCaller();
  try {
    return await caller.statements.find({ statement_id: statementId });
  } catch (error) {
    if (toServiceError(error).status === 404) return null;
    throw error;
  }
}
