import { rpc, type Rpc } from '@/server/chain/rpc';
import { env, type Network, type SecretKey } from '@/server/env';

/** What verifying and settling work with. */
export type FacilitatorParts = { rpc: Rpc; network: Network; feePayer: SecretKey };

/** The parts of this process. */
export function facilitatorParts(): FacilitatorParts {
  return { rpc: rpc(), network: env().network, feePayer: env().feePayer };
}
