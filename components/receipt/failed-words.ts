/** What became of a receipt without proof on chain, in one sentence, and whether a new try can help. */
export function failedWords(lastError: string | null): { text: string; canRetry: boolean } {
  if (lastError === 'transaction_dropped')
    return {
      text: 'The payment vanished from the chain before it was final, so there is nothing to prove.',
      canRetry: false,
    };
  if (lastError === 'payment_dropped')
    return {
      text: 'The fee payment vanished from the chain before it was final. The transaction is free for a new receipt.',
      canRetry: false,
    };
  return {
    text: 'The proof on chain could not be made; the payment is not affected, and a new try costs nothing.',
    canRetry: true,
  };
}
