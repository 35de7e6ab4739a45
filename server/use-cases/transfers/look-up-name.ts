import { resolveName } from '@/server/wallets/names/resolve-name';
import type { NameBody } from '../web-schemas';
import type { Call } from '../call';

/**
 * The current wallet behind a name, for a page that shows the whole address before it uses it. From
 * then on only the address is used. Throws 503 when too few nodes answer.
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
