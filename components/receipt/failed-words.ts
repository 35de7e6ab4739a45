/**
 * The key of a text that says why a receipt has no proof on chain, and whether a retry can help.
 */
export function failedWords(lastError: string | null) {
  if (lastError === 'transaction_dropped')
    return { text: 'transactionDropped', canRetry: false } as const;
  if (lastError === 'payment_dropped') return { text: 'paymentDropped', canRetry: false } as const;
  return { text: 'other', canRetry: true } as const;
}
