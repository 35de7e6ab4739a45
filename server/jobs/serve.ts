import { serve } from 'inngest/next';
import { env } from '@/server/env';
import { jobs } from './client';
import { findTransfers, issueReceipts } from './find-transfers';
import { answerProbe } from './answer-probe';
import { lookBack } from './look-back';
import { mintFreeNft, mintNft } from './mint-nft';
import { reconcileJob, scanLedgerJob } from './scan-ledger';
import { sweepMints } from './sweep-mints';
import { sweepPayments } from './sweep-payments';
import { sweepQuotes } from './sweep-quotes';
import { tidyUp } from './tidy-up';

let handler: ReturnType<typeof serve> | undefined;

/** The door through which the job server calls our functions; made at first use, like the settings. */
export function jobsHandler(): ReturnType<typeof serve> {
  handler ??= serve({
    client: jobs(),
    functions: [
      ...[mintNft(), mintFreeNft(), sweepMints(), sweepPayments(), sweepQuotes()],
      ...[findTransfers(), issueReceipts(), lookBack(), tidyUp()],
      ...[scanLedgerJob(), reconcileJob(), answerProbe()],
    ],
    serveOrigin: env().jobsServeOrigin,
  });
  return handler;
}
