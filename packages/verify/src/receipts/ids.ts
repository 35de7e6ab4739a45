/** Ids are of Crockford's base 32: digits and capitals without I, L, O, U, which people misread. */
export const RECEIPT_ID = /^[0-9A-HJKMNP-TV-Z]{12}$/;
export const STATEMENT_ID = /^STMT[0-9A-HJKMNP-TV-Z]{8}$/;
