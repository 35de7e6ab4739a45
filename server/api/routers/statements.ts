import { callOf, orderOf } from '../request-context';
import { z } from 'zod';
import { statementProof } from '@quittance/verify/statements/statement-proof';
import { pricedProcedure } from '../priced-procedure';
import { procedure, router } from '../trpc';
import {
  statementBody,
  statementById,
  statementInput,
  statementOutcome,
  statementProofBody,
  statementProofInput,
} from '@/server/use-cases/statements/schemas';
import { createStatement } from '@/server/use-cases/statements/create-statement';
import { readStatementProof } from '@/server/use-cases/receipts/read-proof';
import { proveRow, readStatement } from '@/server/use-cases/statements/read-statement';

export const statementsRouter = router({
  create: pricedProcedure('/statement')
    .input(statementInput)
    .output(statementOutcome)
    .mutation(({ ctx, input }) => createStatement(callOf(ctx, orderOf(ctx, input)))),
  find: procedure
    .input(statementById)
    .output(statementBody)
    .query(({ ctx, input }) => readStatement(callOf(ctx, input))),
  wholeProof: procedure
    .input(z.strictObject({ statement_id: z.string() }))
    .output(statementProof)
    .query(({ ctx, input }) => readStatementProof(callOf(ctx, input))),
  proof: procedure
    .input(statementProofInput)
    .output(statementProofBody)
    .query(({ ctx, input }) => proveRow(callOf(ctx, input))),
});
