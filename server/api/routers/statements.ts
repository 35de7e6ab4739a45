import { z } from 'zod';
import { statementProof } from '@quittance/verify/statements/statement-proof';
import { procedure, router } from '../trpc';
import {
  statementBody,
  statementById,
  statementInput,
  statementOutcome,
  statementProofBody,
  statementProofInput,
} from '../statement-schemas';
import { createStatement } from '../verbs/create-statement';
import { readStatementProof } from '../verbs/read-proof';
import { proveRow } from '../verbs/prove-row';
import { readStatement } from '../verbs/read-statement';

export const statementsRouter = router({
  create: procedure
    .input(statementInput)
    .output(statementOutcome)
    .mutation(({ ctx, input }) => createStatement(ctx, input)),
  find: procedure
    .input(statementById)
    .output(statementBody)
    .query(({ ctx, input }) => readStatement(ctx, input)),
  wholeProof: procedure
    .input(z.strictObject({ statement_id: z.string() }))
    .output(statementProof)
    .query(({ ctx, input }) => readStatementProof(ctx, input)),
  proof: procedure
    .input(statementProofInput)
    .output(statementProofBody)
    .query(({ ctx, input }) => proveRow(ctx, input)),
});
