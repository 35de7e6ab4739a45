'use client';

import type { CheckBody } from '@/server/use-cases/web-schemas';
import { api } from '../api';
import type { Proven } from './check-command';
import { checkAgainIn, type MintState } from './verdict-words';

type Asked = { state: { data: CheckBody | undefined; error: unknown } };
const again = ({ state }: Asked) => checkAgainIn(state);

/**
 * The current check of a receipt or statement. It repeats until another check would have the same
 * result.
 */
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
