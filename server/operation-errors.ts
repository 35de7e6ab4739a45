/** Part of the catalogue of server/errors.ts: limits, budgets, pauses and proofs. */
export const OPERATION_ERRORS = {
  proof_missing: {
    status: 404,
    cause: 'The receipt has no NFT: making it failed.',
    fix: 'A participant may send POST /mint again, once an hour, to have it made.',
  },
  mint_not_failed: {
    status: 409,
    cause: 'The mint is completed or under way, so there is nothing to retry.',
    fix: 'Look at /mint/status/{receipt_id}.',
  },
  undecided_not_open: {
    status: 409,
    cause: 'The transaction is not on record as undecided, or was closed before.',
    fix: 'Look at GET /admin/undecided.',
  },
  undecided_is_known: {
    status: 409,
    cause: 'A Solana node knows the transaction, so there is nothing to close.',
    fix: 'Wait some minutes: the service settles it.',
  },
  rate_limited: {
    status: 429,
    cause: 'The client address or the wallet has sent as many requests as it may in a minute.',
    fix: 'Send the request again after Retry-After seconds.',
  },
  free_mints_spent: {
    status: 429,
    cause:
      'The free receipts of the day are used up: of the wallet, of the pair of wallets, or of all.',
    fix: 'Ask again after midnight UTC; Retry-After has the seconds.',
  },
  free_mints_unavailable: {
    status: 503,
    cause: 'What room is left in the trees is kept for receipts that are paid for.',
    fix: 'Ask again later: the operator makes a new tree.',
  },
  paused: {
    status: 503,
    cause: 'The operator has paused this part of the service. Reading goes on.',
    fix: 'Send the same request again later. Nothing was charged, and no payment is lost.',
  },
  proof_not_ready: {
    status: 503,
    cause: 'The NFT of the receipt is being made.',
    fix: 'Ask again after Retry-After seconds, or follow /mint/status/{receipt_id}.',
  },
} as const;
