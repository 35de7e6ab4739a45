/** Part of the catalogue of server/errors.ts: wallets that sign in or are registered. */
export const ACCOUNT_ERRORS = {
  sign_in_invalid: {
    status: 401,
    cause: 'The sign-in message was not issued by this site, has expired, or was used before.',
    fix: 'Sign in again. Each message works once, for ten minutes.',
  },
  not_signed_in: {
    status: 401,
    cause:
      'No wallet is signed in on the pages of the service, or another one than the request names.',
    fix: 'Sign in with the wallet on /dashboard.',
  },
  proof_time_wrong: {
    status: 401,
    cause:
      'X-Wallet-Time is missing, more than ten minutes off, or its signed text was used before.',
    fix: 'Sign a text with the current time, and send that time in X-Wallet-Time (ISO 8601, UTC).',
  },
  webhook_secret_wrong: {
    status: 401,
    cause: 'The path is for webhooks, and their secret is missing or wrong.',
    fix: 'Configure the sender to put the WEBHOOK_SECRET of the service into Authorization.',
  },
  origin_refused: {
    status: 403,
    cause: 'Signing in and out works only from the pages of the service, not from other sites.',
    fix: 'Open /dashboard of the service.',
  },
  registration_not_found: {
    status: 404,
    cause: 'The wallet is not registered.',
    fix: 'Register it with POST /register.',
  },
} as const;

/** Part of the catalogue of server/errors.ts: quotes, payments and refunds. */
export const PAYMENT_ERRORS = {
  payment_required: {
    status: 402,
    cause: 'A fee is due and no payment came with the request.',
    fix: 'Pay as the answer says, and send the same request again with the payment.',
  },
  payment_failed: {
    status: 402,
    cause: 'The payment failed on chain, so nothing was paid.',
    fix: 'Pay again with a transaction that succeeds.',
  },
  payment_not_to_us: {
    status: 402,
    cause: "The transaction credits nothing to the service's USDC account.",
    fix: 'Pay to the account of payTo in the answer.',
  },
  payment_wrong_token: {
    status: 402,
    cause: 'The transaction pays the service in another token than USDC.',
    fix: 'Pay in USDC, by the mint that the answer names.',
  },
  payment_several_payers: {
    status: 402,
    cause: 'The transaction does not show a single wallet that paid.',
    fix: 'Pay from one wallet.',
  },
  payment_too_little: {
    status: 402,
    cause: 'The payment is smaller than the price.',
    fix: 'Pay the amount of the quote. The operator can refund the smaller payment.',
  },
  payment_not_exact: {
    status: 402,
    cause: 'A payment without the memo of its quote must be exactly the price.',
    fix: 'Pay with the memo of the quote, or exactly its price.',
  },
  payment_too_old: {
    status: 402,
    cause: 'The payment was made more than 48 hours ago.',
    fix: 'Pay again. The operator can refund the old payment.',
  },
  payment_without_quote: {
    status: 402,
    cause: 'No quote for this request was open when the payment was made.',
    fix: 'Ask for a quote first, then pay it.',
  },
  payment_quote_closed: {
    status: 402,
    cause: 'The quote that the payment names was not open when the payment was made.',
    fix: 'The payer may use the payment for another request with its wallet headers.',
  },
  payment_for_another_request: {
    status: 402,
    cause: 'The payment names the quote of another request.',
    fix: 'Send the request that the payment was made for.',
  },
  payment_is_the_transaction: {
    status: 402,
    cause: 'The payment is the transaction that the request is about.',
    fix: 'Pay the fee in a separate transaction.',
  },
  payment_already_used: {
    status: 402,
    cause: 'The payment has bought something else.',
    fix: 'Make a payment for this request.',
  },
  payment_refunded: {
    status: 402,
    cause: 'The payment was refunded to its payer.',
    fix: 'Make a new payment.',
  },
  payment_invalid: {
    status: 402,
    cause: 'The x402 payment is not valid. `reason` says why. No money moved.',
    fix: 'Pay as the answer says and send the same request again.',
  },
  payment_unreadable: {
    status: 400,
    cause: 'The payment header is in none of the forms that the service reads.',
    fix: 'Send a transaction signature or x402 v1 in X-Payment, or x402 v2 in PAYMENT-SIGNATURE.',
  },
  payment_not_sent: {
    status: 400,
    cause: 'The chain rejected the payment, so no money moved.',
    fix: 'Fix the problem that the error names (for example a low balance) and sign a new payment.',
  },
  payment_unknown: {
    status: 404,
    cause: 'Nothing arrived under this signature, or it is not final yet.',
    fix: 'Send the payment with the request that it pays for, or check again once it is final.',
  },
  payment_not_seen_yet: {
    status: 503,
    cause: 'No node knows the payment yet.',
    fix: 'Send the same request with the same X-Payment again after Retry-After seconds. Do not pay again.',
  },
  payment_pending: {
    status: 503,
    cause: 'The payment was sent to the chain and is not confirmed yet.',
    fix: 'Send the same request with the same payment again after Retry-After seconds. It is not charged twice.',
  },
  payment_undecided: {
    status: 503,
    cause:
      'A payment for the same request may have been sent before, and too few nodes answer to show whether it landed.',
    fix: 'Do not pay. Send the request again after Retry-After seconds.',
  },
  paid_wallet_busy: {
    status: 503,
    cause:
      'So many new transactions name the paid wallet that one request cannot read them all. A refund of the payment could be among them.',
    fix: 'Send the same request with the same payment again after Retry-After seconds. Do not pay again.',
  },
  payments_unavailable: {
    status: 503,
    cause: 'A fee is due for this transaction, and the service accepts no payments at the moment.',
    fix: 'Try again later. Nothing was charged.',
  },
  refund_invalid: {
    status: 400,
    cause:
      'The chain shows no transfer of the payment, or of a part of it, to its payer. For a withdrawal, it shows no money that leaves PAY_TO.',
    fix: 'Use the signature of a final transfer to the payer, in the token of the payment and of at most `left_raw`.',
  },
  refund_conflict: {
    status: 409,
    cause: 'Nothing is left of the payment, or the transaction is on record as something else.',
    fix: 'See /admin/payments/{signature}.',
  },
  quote_unknown: {
    status: 404,
    cause: 'No open offer has this id, or no page prepared its payment.',
    fix: 'Send the request for what you want to buy again. The answer has a new offer.',
  },
} as const;

/** The part of the catalogue in errors.ts that only statements use. */
export const STATEMENT_ERRORS = {
  nothing_to_state: {
    status: 400,
    cause: 'No payment of the wallet fits the request, so a statement would be empty.',
    fix: 'Check the wallet and the period. `details.skipped` counts by reason what was left out.',
  },
  wallet_not_involved: {
    status: 400,
    cause: 'A listed transaction is no payment to or from the wallet of the statement.',
    fix: 'Leave out the transactions that `details` names.',
  },
  statement_not_found: {
    status: 404,
    cause: 'No statement has this id, or it does not list this transaction.',
    fix: 'Check the id: STMT and 8 characters, digits and capital letters.',
  },
  transaction_not_final: {
    status: 503,
    cause: 'A listed transaction is confirmed but not final yet.',
    fix: 'Send the same request again after Retry-After seconds. Nothing was charged.',
  },
  scan_incomplete: {
    status: 503,
    cause: 'A transaction in the period cannot be read, and a statement must not omit it.',
    fix: 'Use a period without it, or list the transactions in `transactions`.',
  },
  too_many_quotes: {
    status: 429,
    cause: 'The client address has the maximum number of unpaid offers for statements.',
    fix: 'Pay one of them, or try again after Retry-After seconds.',
  },
} as const;

/** Part of the catalogue of server/errors.ts: limits, budgets, pauses and proofs. */
export const OPERATION_ERRORS = {
  proof_missing: {
    status: 404,
    cause: 'The receipt has no NFT, because its mint failed.',
    fix: 'A participant may send POST /mint again, once an hour, to retry it.',
  },
  mint_not_failed: {
    status: 409,
    cause: 'The mint is completed or under way, so there is nothing to retry.',
    fix: 'See /mint/status/{receipt_id}.',
  },
  undecided_not_open: {
    status: 409,
    cause: 'The transaction is not on record as undecided, or was closed before.',
    fix: 'See GET /admin/undecided.',
  },
  undecided_is_known: {
    status: 409,
    cause: 'A Solana node knows the transaction, so there is nothing to close.',
    fix: 'Wait a few minutes. The service settles the transaction automatically.',
  },
  rate_limited: {
    status: 429,
    cause:
      'The client address or the wallet has sent the maximum number of requests for this minute.',
    fix: 'Send the request again after Retry-After seconds.',
  },
  free_mints_spent: {
    status: 429,
    cause:
      'The free receipts of the day are used up for the wallet, the pair of wallets, the client address, or in total.',
    fix: 'Try again after midnight UTC. Retry-After has the seconds.',
  },
  free_mints_unavailable: {
    status: 503,
    cause: 'The space that is left in the trees is reserved for paid receipts.',
    fix: 'Try again later: the operator adds a new tree.',
  },
  paused: {
    status: 503,
    cause: 'The operator has paused this part of the service. Reads still work.',
    fix: 'Send the same request again later. Nothing was charged, and no payment is lost.',
  },
  proof_not_ready: {
    status: 503,
    cause: 'The NFT of the receipt is being minted.',
    fix: 'Try again after Retry-After seconds, or follow /mint/status/{receipt_id}.',
  },
} as const;
