import { z } from 'zod';
import { isSignature, isWalletAddress } from '@quittance/verify/wallets/base58';
import { beginSignIn, completeSignIn, endSession } from '@/server/wallets/sign-in';
import { requireBrowser, sessionCookie } from '../browser-call';
import { readSession } from '../require-caller';
import { procedure, router } from '../trpc';

const address = z.string().refine(isWalletAddress, 'must be a wallet address');
/** Far longer than any sign-in message. */
const MOST_BASE64 = 8_192;

const sessionBody = z.object({ wallet: z.string(), expires_at: z.iso.datetime() });

/** Sign-In With Solana, only for the pages. */
export const sessionRouter = router({
  read: procedure.output(sessionBody.nullable()).query(async ({ ctx }) => {
    const session = await readSession(ctx);
    return session && { wallet: session.wallet, expires_at: session.expiresAt.toISOString() };
  }),
  begin: procedure
    .input(z.strictObject({ address }))
    .output(
      z.object({
        /** Input of the wallet's `signIn`. */
        input: z.object({
          domain: z.string(),
          address: z.string(),
          statement: z.string(),
          uri: z.string(),
          version: z.literal('1'),
          chainId: z.string(),
          nonce: z.string(),
          issuedAt: z.string(),
          expirationTime: z.string(),
        }),
        /** The same as a text, for wallets that can only sign messages. */
        message: z.string(),
      }),
    )
    .mutation(({ ctx, input }) =>
      beginSignIn(ctx.service, { site: requireBrowser(ctx).site, address: input.address }),
    ),
  complete: procedure
    .input(
      z.strictObject({
        address,
        /** The signed bytes, as the wallet reports them. */
        signed_message: z.base64().max(MOST_BASE64),
        signature: z.string().refine(isSignature, 'must be a signature: base58 of 64 bytes'),
      }),
    )
    .output(sessionBody)
    .mutation(async ({ ctx, input }) => {
      const { site, setCookie } = requireBrowser(ctx);
      const session = await completeSignIn(ctx.service, {
        site,
        address: input.address,
        signedMessage: Buffer.from(input.signed_message, 'base64'),
        signature: input.signature,
      });
      setCookie(sessionCookie(site, session));
      return { wallet: session.wallet, expires_at: session.expiresAt.toISOString() };
    }),
  end: procedure.output(z.null()).mutation(async ({ ctx }) => {
    const { site, sessionToken, setCookie } = requireBrowser(ctx);
    if (sessionToken !== null) await endSession(ctx.service.db, sessionToken);
    setCookie(sessionCookie(site, null));
    return null;
  }),
});
