import { requireTimedProof } from '@/server/use-cases/prove-wallet';
import { callOf, callOfWallet } from '../request-context';
import { z } from 'zod';
import { findRegistration, noteTransactions } from '@/server/registrations/registrations';
import { requireWebhookSecret } from '../require-caller';
import {
  registerInput,
  registrationBody,
  webhookBody,
  webhookInput,
} from '@/server/use-cases/registrations/schemas';
import { walletAddress } from '@/server/use-cases/receipts/schemas';
import { procedure, router } from '../trpc';
import {
  registerSeller,
  unregisterSeller,
  registrationText,
  unregistrationText,
} from '@/server/use-cases/registrations/register-seller';

const webhookProcedure = procedure.use(({ ctx, next }) => {
  requireWebhookSecret(ctx);
  return next();
});

export const registrationsRouter = router({
  register: procedure
    .input(registerInput)
    .output(registrationBody)
    .mutation(async ({ ctx, input }) => {
      const { serviceName } = ctx.service.env;
      const wallet = await requireTimedProof(callOf(ctx, input), ctx.walletTime, (signed) =>
        registrationText(serviceName, input, signed),
      );
      return registerSeller(callOfWallet(ctx, wallet, input));
    }),
  unregister: procedure.output(registrationBody).mutation(async ({ ctx }) => {
    const { serviceName } = ctx.service.env;
    const wallet = await requireTimedProof(callOf(ctx, null), ctx.walletTime, (signed) =>
      unregistrationText(serviceName, signed),
    );
    return unregisterSeller(callOfWallet(ctx, wallet, null));
  }),
  /** The name that a seller gave itself; null when it is not registered, and when the operator hid it. */
  sellerName: procedure
    .input(z.strictObject({ wallet: walletAddress }))
    .output(z.object({ name: z.string().nullable(), hidden: z.boolean() }))
    .query(async ({ ctx, input }) => {
      const registration = await findRegistration(ctx.service.db, input.wallet);
      const hidden = (registration?.nameHiddenAt ?? null) !== null;
      return { name: hidden ? null : (registration?.businessName ?? null), hidden };
    }),
  /** The report of a webhook is checked like everything else. Nothing in it is believed. */
  noteTransactions: webhookProcedure
    .input(webhookInput)
    .output(webhookBody)
    .mutation(async ({ ctx, input: signatures }) => {
      const { db, clock } = ctx.service;
      const noted = await noteTransactions(db, { signatures, now: clock.now() });
      if (noted > 0) await ctx.service.jobs.startTransfers();
      return { success: true, received: signatures.length, noted };
    }),
});
