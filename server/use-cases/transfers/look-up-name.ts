import { resolveName } from '@/server/wallets/names/resolve-name';
import type { NameBody } from '../web-schemas';
import type { Call } from '../call';

/**
 * The wallet that a name stands for now, for a page that shows the whole address before anything is done with it. Only
 * the address is used from then on. Throws 503 when too few nodes answer.
 */
export async function lookUpName({
  service,
  input: { name },
}: Call<{ name: string }>): Promise<NameBody> {
  const answer = await resolveName(service, name);
  return answer.state === 'found'
    ? { state: 'found', name, address: answer.address }
    : { state: answer.state, name };
}
