/** On which side of a payment the signed-in wallet stood. */
export type Role = 'seller' | 'payer';
