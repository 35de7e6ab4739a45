import type { Network } from '@/server/env';
import type { Totals } from '@quittance/verify/statements/sum-rows';

/** All that a statement says about itself, from which its metadata and its picture are made. */
export type StatementFacts = {
  statementId: string;
  issuedAt: Date;
  network: Network;
  /** Origin of the service, without a trailing slash. */
  publicUrl: string;
  wallet: string;
  mode: 'list' | 'scan';
  /** UTC days of the first and last instant of a scan, or of the first and last row of a list. */
  firstDay: string;
  lastDay: string;
  complete: boolean;
  totals: Totals;
  /** Hex. */
  csvSha256: string;
  merkleRoot: string;
};
