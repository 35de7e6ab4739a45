import type { Registration } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';
import { keyOfRequest } from '@/server/payments/quotes';
import { registerWallet, unregisterWallet } from '@/server/registrations/registrations';
import type { RegisterInput, RegistrationBody } from './schemas';
import type { Call, WalletActor } from '../call';

/** The text by which a wallet registers itself: it holds the canonical body, so that no other can be sent with it. */
export function registrationText(
  serviceName: string,
  input: RegisterInput,
  signed: { wallet: string; time: string },
): string {
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
  return `${serviceName}:register:${signed.wallet}:${bodySha256}:${signed.time}`;
}

/** The text by which a wallet ends its registration. */
export function unregistrationText(
  serviceName: string,
  signed: { wallet: string; time: string },
): string {
  return `${serviceName}:unregister:${signed.wallet}:${signed.time}`;
}

/** Registers the wallet that proved itself for automatic receipts, from the block of now on. */
export async function registerSeller({
  service: { db, rpc, clock },
  actor,
  input,
}: Call<RegisterInput, WalletActor>): Promise<RegistrationBody> {
  if (actor.wallet !== input.wallet_address)
    throw new ServiceError(
      'wallet_proof_invalid',
      `The signature is of the wallet ${actor.wallet}, and the body names ${input.wallet_address}. Only the wallet itself can register.`,
    );
  const slot = await rpc.getSlot('confirmed');
  const registration = await db.$transaction((tx) =>
    registerWallet(tx, {
      wallet: actor.wallet,
      businessName: input.business_name.text,
      country: input.country.text,
      serviceType: input.service_type.text,
      slot,
      now: clock.now(),
    }),
  );
  return presentRegistration(registration);
}

/** Ends the registration of the wallet that proved itself. */
export async function unregisterSeller({
  service: { db, clock },
  actor: { wallet },
}: Call<unknown, WalletActor>): Promise<RegistrationBody> {
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
