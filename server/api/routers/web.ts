import { callOf } from '../request-context';
import { SUPPORTED_COUNTRIES, requireCountry } from '@/server/rates/countries';
import { procedure, router } from '../trpc';
import { checkReceiptNow, checkStatementNow } from '@/server/use-cases/receipts/check-now';
import { checkWords } from '@/server/use-cases/receipts/check-words';
import { lookUpName } from '@/server/use-cases/transfers/look-up-name';
import { listRecentPayments } from '@/server/use-cases/transfers/list-transfers';
import { preparePayment } from '@/server/use-cases/payments/prepare-payment';
import { previewPayment } from '@/server/use-cases/receipts/preview-transaction';
import { readProgress } from '@/server/use-cases/receipts/mint-status';
import { retryStatement } from '@/server/use-cases/statements/retry-statement';
import { resumePurchase } from '@/server/use-cases/payments/resume-purchase';
import { sendPayment } from '@/server/use-cases/payments/send-payment';
import {
  checkBody,
  checkInput,
  checkStatementInput,
  countriesBody,
  nameBody,
  nameInput,
  prepareBody,
  prepareInput,
  previewBody,
  previewInput,
  progressBody,
  progressInput,
  recentPaymentsBody,
  recentPaymentsInput,
  resumeBody,
  resumeInput,
  retryStatementInput,
  sendBody,
  sendInput,
  wordsBody,
  wordsInput,
} from '@/server/use-cases/web-schemas';

/**
 * Procedures that pages need in addition to the service's interface: a browser has no node of its
 * own.
 */
export const webRouter = router({
  countries: procedure
    .output(countriesBody)
    .query(() => SUPPORTED_COUNTRIES.map((code) => requireCountry(code))),
  recentPayments: procedure
    .input(recentPaymentsInput)
    .output(recentPaymentsBody)
    .query(({ ctx, input }) => listRecentPayments(callOf(ctx, input))),
  /** The REST interface accepts only addresses. */
  lookUpName: procedure
    .input(nameInput)
    .output(nameBody)
    .query(({ ctx, input }) => lookUpName(callOf(ctx, input))),
  /** Judges labels before a wallet signs for them. */
  words: procedure
    .input(wordsInput)
    .output(wordsBody)
    .query(({ input }) => checkWords({ input })),
  preview: procedure
    .input(previewInput)
    .output(previewBody)
    .query(({ ctx, input }) => previewPayment(callOf(ctx, input))),
  check: procedure
    .input(checkInput)
    .output(checkBody)
    .query(({ ctx, input }) => checkReceiptNow(callOf(ctx, input))),
  checkStatement: procedure
    .input(checkStatementInput)
    .output(checkBody)
    .query(({ ctx, input }) => checkStatementNow(callOf(ctx, input))),
  progress: procedure
    .input(progressInput)
    .output(progressBody)
    .query(({ ctx, input }) => readProgress(callOf(ctx, input))),
  /** Retries the mint of a failed statement. `receipts.create` does so for a receipt. */
  retryStatement: procedure
    .input(retryStatementInput)
    .output(progressBody)
    .mutation(({ ctx, input }) => retryStatement(callOf(ctx, input))),
  prepare: procedure
    .input(prepareInput)
    .output(prepareBody)
    .mutation(({ ctx, input }) => preparePayment(callOf(ctx, input))),
  send: procedure
    .input(sendInput)
    .output(sendBody)
    .mutation(({ ctx, input }) => sendPayment(callOf(ctx, input))),
  resume: procedure
    .input(resumeInput)
    .output(resumeBody)
    .mutation(({ ctx, input }) => resumePurchase(callOf(ctx, input))),
});
