import { expect } from '@playwright/test';
import type { TestService } from '@/tests/harness/start-service';

/**
 * Makes a failed one of the mint of a receipt or statement that storage holds back: it failed two hours ago, so that a
 * new try may start. The caller takes storage down before, and puts it back afterwards.
 */
export async function failMint({ prisma }: TestService, id: string): Promise<void> {
  const stored = () => prisma.mint.findUniqueOrThrow({ where: { id } });
  await expect
    .poll(async () => (await stored()).lastError ?? '', { timeout: 60_000, intervals: [200] })
    .toContain('storage');
  await prisma.mint.update({
    where: { id },
    data: {
      status: 'failed',
      // Its job owns it no longer, so that it writes nothing of its own meanwhile.
      fence: { increment: 1 },
      leaseUntil: null,
      lastError: 'storage: 10.0.0.7:3000 answered 422: no',
      updatedAt: new Date(Date.now() - 2 * 3_600_000),
    },
  });
}
