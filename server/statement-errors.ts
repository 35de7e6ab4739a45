/** The part of the catalogue in errors.ts that only statements use. */
export const STATEMENT_ERRORS = {
  nothing_to_state: {
    status: 400,
    cause: 'No payment of the wallet fits the request, so a statement would be empty.',
    fix: 'Check wallet and period; `details.skipped` counts what was left out, by reason.',
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
    cause: 'A listed transaction is confirmed, and not final yet.',
    fix: 'Send the same request again after Retry-After seconds. Nothing was charged.',
  },
  scan_incomplete: {
    status: 503,
    cause: 'A transaction in the period cannot be read, and a statement must not leave it out.',
    fix: 'Ask for a period without it, or name the transactions in `transactions`.',
  },
  too_many_quotes: {
    status: 429,
    cause: 'The address of the client has as many unpaid offers for statements open as it may.',
    fix: 'Pay one of them, or ask again after Retry-After seconds.',
  },
} as const;
