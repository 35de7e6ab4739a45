import { Prisma } from '@/generated/prisma/client';

/** PostgreSQL's unique violation in Prisma's words. */
const NOT_UNIQUE = 'P2002';

/** Whether a write was refused because a row with its unique values is there already. */
export function isNotUnique(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === NOT_UNIQUE;
}
