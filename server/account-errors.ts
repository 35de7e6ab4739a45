/** Part of the catalogue of server/errors.ts: wallets that sign in or are registered. */
export const ACCOUNT_ERRORS = {
  sign_in_invalid: {
    status: 401,
    cause:
      'The sign-in message is not one that this site gave out, has expired or was used before.',
    fix: 'Sign in again: each message is good once, for ten minutes.',
  },
  not_signed_in: {
    status: 401,
    cause: 'The procedure is for a wallet that is signed in on the pages of the service.',
    fix: 'Sign in with the wallet on /dashboard.',
  },
  proof_time_wrong: {
    status: 401,
    cause:
      'X-Wallet-Time is missing, more than ten minutes off, or its signed text was used before.',
    fix: 'Sign a text with the time of now and send that time in X-Wallet-Time (ISO 8601, UTC).',
  },
  webhook_secret_wrong: {
    status: 401,
    cause: 'The path is for the sender of the webhooks, and its secret is missing or wrong.',
    fix: 'Let the sender put the WEBHOOK_SECRET of the service in Authorization.',
  },
  origin_refused: {
    status: 403,
    cause: 'Signing in and out works from the pages of the service alone, not from other sites.',
    fix: 'Open /dashboard of the service.',
  },
  registration_not_found: {
    status: 404,
    cause: 'The wallet is not registered.',
    fix: 'Register it with POST /register.',
  },
} as const;
