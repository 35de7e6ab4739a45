/** What became of a receipt without proof on chain, as the key of a text, and whether a new try can help. */
export function failedWords(lastError: string | null) {
  if (lastError === 'transaction_dropped')
    return { text: 'transactionDropped', canRetry: false } as const;
  if (lastError === 'payment_dropped') return { text: 'paymentDropped', canRetry: false } as const;
  return { text: 'other', canRetry: true } as const;
}
