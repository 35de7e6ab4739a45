/** The side of a payment that the signed-in wallet was on. */
export type Role = 'seller' | 'payer';
