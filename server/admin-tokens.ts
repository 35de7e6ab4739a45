import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The rights of an operator. `read` sees everything. `support` also deals with mints and wallets,
 * `money` also with payments, refunds and books. Support and money each include read, and neither
 * includes the other.
 */
export const ADMIN_ROLES = ['read', 'support', 'money'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** `actor` is the operator's name in the audit log. */
export type Operator = { actor: string; roles: ReadonlySet<AdminRole>; tokenSha256: Buffer };

/** A token with fewer characters is never accepted, whatever the settings say. */
const LEAST_TOKEN_CHARACTERS = 32;

/** `name:role:hash`, where the role may be several with `+` between. */
const ENTRY = /^([a-z][a-z0-9-]{1,31}):([a-z]+(?:\+[a-z]+)*):([0-9a-f]{64})$/;

/**
 * Operators of ADMIN_TOKENS (`anna:support:<hex sha256 of her token>`, entries with commas or line
 * ends between), or the fault in it. The text holds no token.
 */
export function parseOperators(text: string): Operator[] | { fault: string } {
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  const operators: Operator[] = [];
  for (const entry of entries.filter((one) => one !== '')) {
    const [, name, roleText, hash] = ENTRY.exec(entry) ?? [];
    const roles = roleText?.split('+') ?? [];
    const known = ADMIN_ROLES.filter((role) => roles.includes(role));
    // Not shown: a token may have been written in place of its hash.
    if (name === undefined || hash === undefined || known.length !== roles.length)
      return { fault: 'must hold name:role:sha256 entries, with the roles read, support or money' };
    operators.push(operatorOf({ actor: `admin:${name}`, roles: known, hash }));
  }
  const names = new Set(operators.map(({ actor }) => actor));
  const tokens = new Set(operators.map(({ tokenSha256 }) => tokenSha256.toString('hex')));
  if (Math.min(names.size, tokens.size) < operators.length)
    return { fault: 'must name each operator and each token once' };
  return operators;
}

/** The holder of ADMIN_TOKEN, who may do everything. */
export function firstOperator(token: string): Operator {
  return operatorOf({ actor: 'admin', roles: ADMIN_ROLES, hash: sha256(token).toString('hex') });
}

/**
 * The operator of a token; null for none. Each token on record is compared in full. So the time
 * reveals neither how close a wrong one is nor which operator a right one belongs to.
 */
export function findOperator(operators: readonly Operator[], token: string): Operator | null {
  const shown = sha256(token);
  const matching = operators.filter((one) => timingSafeEqual(shown, one.tokenSha256));
  return token.length < LEAST_TOKEN_CHARACTERS ? null : (matching[0] ?? null);
}

/** Hex sha256 of a token, the form in ADMIN_TOKENS. */
export function tokenHash(token: string): string {
  return sha256(token).toString('hex');
}

function operatorOf(o: { actor: string; roles: readonly AdminRole[]; hash: string }): Operator {
  return {
    actor: o.actor,
    roles: new Set<AdminRole>(['read', ...o.roles]),
    tokenSha256: Buffer.from(o.hash, 'hex'),
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
