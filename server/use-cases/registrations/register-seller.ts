import type { Registration } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';
import { keyOfRequest } from '@/server/payments/quotes';
import { registerWallet, unregisterWallet } from '@/server/registrations/registrations';
import { requireTimedProof } from '../prove-wallet';
import type { RegisterInput, RegistrationBody } from './schemas';
import type { Call } from '../call';

/**
 * Registers a seller's wallet for automatic receipts, from the block of now on. The wallet signs
 * `<service>:register:<wallet>:<sha256 of the canonical JSON body>:<time>`.
 */
export async function registerSeller(call: Call<RegisterInput>): Promise<RegistrationBody> {
  const { input } = call;
  const { env, db, rpc, clock } = call.service;
  const { bodySha256 } = keyOfRequest({
    method: 'POST',
    path: '/register',
    body: {
      wallet_address: input.wallet_address,
      business_name: input.business_name.sent,
      country: input.country.sent,
      service_type: input.service_type.sent,
    },
  });
  const proven = await requireTimedProof(
    call,
    ({ wallet, time }) => `${env.serviceName}:register:${wallet}:${bodySha256}:${time}`,
  );
  if (proven !== input.wallet_address)
    throw new ServiceError(
      'wallet_proof_invalid',
      `The proof is by the wallet ${proven}, and the body names ${input.wallet_address}. A wallet registers itself.`,
    );
  const slot = await rpc.getSlot('confirmed');
  const registration = await db.$transaction((tx) =>
    registerWallet(tx, {
      wallet: proven,
      businessName: input.business_name.text,
      country: input.country.text,
      serviceType: input.service_type.text,
      slot,
      now: clock.now(),
    }),
  );
  return presentRegistration(registration);
}

/** Ends the registration of the wallet that signs `<service>:unregister:<wallet>:<time>`. */
export async function unregisterSeller(call: Call<null>): Promise<RegistrationBody> {
  const { env, db, clock } = call.service;
  const wallet = await requireTimedProof(
    call,
    (o) => `${env.serviceName}:unregister:${o.wallet}:${o.time}`,
  );
  const ended = await db.$transaction((tx) => unregisterWallet(tx, { wallet, now: clock.now() }));
  if (ended) return presentRegistration(ended);
  throw new ServiceError('registration_not_found', `The wallet ${wallet} is not registered.`);
}

export function presentRegistration(registration: Registration): RegistrationBody {
  return {
    success: true,
    wallet_address: registration.walletAddress,
    business_name: registration.businessName,
    country: registration.country,
    service_type: registration.serviceType,
    registered_at: registration.registeredAt.toISOString(),
    auto_receipts: registration.autoReceipts && registration.unregisteredAt === null,
  };
}
