import { expect } from '@playwright/test';
import type { TestService } from '@/tests/harness/start-service';

/**
 * Fails the mint of a receipt or statement that storage holds back. The failure is dated two hours
 * ago, so that a retry may start. The caller stops the storage before, and restarts it afterwards.
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
      // Its job no longer owns it, so the job writes nothing.
      fence: { increment: 1 },
      leaseUntil: null,
      lastError: 'storage: 10.0.0.7:3000 answered 422: no',
      updatedAt: new Date(Date.now() - 2 * 3_600_000),
    },
  });
}
