/** Part of the catalogue of server/errors.ts: quotes, payments and refunds. */
export const PAYMENT_ERRORS = {
  payment_required: {
    status: 402,
    cause: 'A fee is due and no payment came with the request.',
    fix: 'Pay as the answer says and send the same request again with the payment.',
  },
  payment_failed: {
    status: 402,
    cause: 'The payment failed on chain, so nothing was paid.',
    fix: 'Pay again with a transaction that succeeds.',
  },
  payment_not_to_us: {
    status: 402,
    cause: "The transaction credits nothing to the service's USDC account.",
    fix: 'Pay to the account of payTo that the answer names.',
  },
  payment_wrong_token: {
    status: 402,
    cause: 'The transaction pays the service in another token than USDC.',
    fix: 'Pay in USDC, by the mint that the answer names.',
  },
  payment_several_payers: {
    status: 402,
    cause: 'The transaction does not show one single wallet that paid.',
    fix: 'Pay from one wallet.',
  },
  payment_too_little: {
    status: 402,
    cause: 'The payment is smaller than the price.',
    fix: 'Pay the amount of the quote. The smaller payment can be refunded by the operator.',
  },
  payment_not_exact: {
    status: 402,
    cause: 'A payment without the memo of its quote must be exactly the price.',
    fix: 'Pay with the memo of the quote, or exactly its price.',
  },
  payment_too_old: {
    status: 402,
    cause: 'The payment was made more than 48 hours ago.',
    fix: 'Pay again. The old payment can be refunded by the operator.',
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
    cause: 'The payment is the very transaction that the request is about.',
    fix: 'Pay the fee in a transaction of its own.',
  },
  payment_already_used: {
    status: 402,
    cause: 'The payment has bought something else.',
    fix: 'Make a payment for this request.',
  },
  payment_refunded: {
    status: 402,
    cause: 'The payment was given back to its payer.',
    fix: 'Make a new payment.',
  },
  payment_invalid: {
    status: 402,
    cause: 'The x402 payment does not verify; `reason` says why. Nothing moved.',
    fix: 'Pay as the answer says and send the same request again.',
  },
  payment_unreadable: {
    status: 400,
    cause: 'The payment header is in none of the forms that the service reads.',
    fix: 'Send a transaction signature or x402 v1 in X-Payment, or x402 v2 in PAYMENT-SIGNATURE.',
  },
  payment_not_sent: {
    status: 400,
    cause: 'The chain did not take the payment that was to be sent, so no money moved.',
    fix: 'Mend what the error names, such as a balance, and sign a new payment.',
  },
  payment_unknown: {
    status: 404,
    cause: 'Nothing arrived under this signature, or it is not final yet.',
    fix: 'Send the payment with the request that it pays for, or look again once it is final.',
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
  paid_wallet_busy: {
    status: 503,
    cause:
      'So many new transactions name the paid wallet that one request cannot read them all. A refund of the payment could be among them.',
    fix: 'Send the same request with the same payment again after Retry-After seconds. Do not pay again.',
  },
  payments_unavailable: {
    status: 503,
    cause: 'A fee is due for this transaction and the service takes no payments at the moment.',
    fix: 'Try again later. Nothing was charged.',
  },
  refund_invalid: {
    status: 400,
    cause:
      'The chain does not show that this transaction gives the payment, or a part of what is left of it, back to its payer, or takes money out of PAY_TO.',
    fix: 'Use the signature of a final transfer to the payer, in the token of the payment and of at most `left_raw`.',
  },
  refund_conflict: {
    status: 409,
    cause: 'Nothing is left of the payment, or the transaction is on record as something else.',
    fix: 'Look at /admin/payments/{signature}.',
  },
  quote_unknown: {
    status: 404,
    cause: 'There is no open offer with this id, or a page did not prepare its payment.',
    fix: 'Ask for what you want to buy again: the answer carries a new offer.',
  },
} as const;
