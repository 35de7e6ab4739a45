import { tokenHash } from '@/server/admin-tokens';

/** The token that may do everything. */
export const DESK_TOKEN = 'desk-token-0123456789-0123456789-0123456789';
/** Tokens of named operators: one for support, one for money. */
export const ANNA = 'anna-of-support-0123456789abcdef0123';
export const CAROL = 'carol-with-the-purse-0123456789abcdef';
/** The two tokens in the form of `ADMIN_TOKENS`. */
export const OPERATORS = `anna:support:${tokenHash(ANNA)},carol:money:${tokenHash(CAROL)}`;
