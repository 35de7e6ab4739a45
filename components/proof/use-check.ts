'use client';

import type { CheckBody } from '@/server/use-cases/web-schemas';
import { api } from '../api';
import type { Proven } from './check-command';

export type MintState = 'pending' | 'completed' | 'failed';

/** A check that could not be finished, for example because a block was not final yet, is made again. */
const AGAIN_MS = 15_000;

type Asked = { state: { data: CheckBody | undefined; error: unknown } };
const again = ({ state: { data, error } }: Asked) =>
  error !== null || data?.verdict === 'could not be checked' ? AGAIN_MS : false;

/** The check of a receipt or statement as it is now. It repeats by itself until it can be decided. */
export function useCheck({ kind, id }: Proven, state: MintState) {
  const isReceipt = kind === 'receipt';
  const isMinted = state === 'completed';
  const receipt = api.web.check.useQuery(
    { receipt_id: id },
    { enabled: isReceipt && isMinted, refetchInterval: again },
  );
  const statement = api.web.checkStatement.useQuery(
    { statement_id: id },
    { enabled: !isReceipt && isMinted, refetchInterval: again },
  );
  return isReceipt ? receipt : statement;
}
