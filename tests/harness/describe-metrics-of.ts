import { spawnSync } from 'node:child_process';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { describeMetrics } from '@/operation/known-metrics';
import { hasPromtool } from '@/operation/promtool';
import type { TestService } from './start-service';

/** A scrape may be some seconds old, and skips a part that does not answer within 4 s. */
const LATER = { timeout: 90_000, interval: 500 };

/**
 * Tests of /metrics on a service that has made a receipt. Put them last, because they stop the
 * database for a time.
 */
export function describeMetricsOf(serviceOf: () => TestService): void {
  const scrape = async () => (await fetch(new URL('/metrics', serviceOf().baseUrl))).text();

  describe('figures of /metrics', () => {
    it('cover requests, mints, payments, nodes, space and balances', async () => {
      const text = await scrape();
      for (const name of [
        'quittance_requests_total{route="/receipt/{receipt_id}/proof"',
        'quittance_calls_total{procedure="receipts.create",outcome="ok"}',
        'quittance_call_seconds_bucket',
        'quittance_job_runs_total{job="mint-free-nft",ended="done"}',
        'quittance_job_steps_total{job="mint-free-nft",outcome="done"}',
        'quittance_rpc_calls_total{method="getTransaction"}',
        'quittance_mint_seconds{percentile="95"}',
        'quittance_oldest_pending_seconds',
        'quittance_free_mints_left',
        'quittance_tree_space_left',
        'quittance_balance_sol{key="minter"}',
        'quittance_storage_balance_sol',
        'quittance_storage_requests_total{method="POST",outcome="answered"}',
        'quittance_node_up{node="1"} 1',
        'quittance_clock_skew_seconds{clock="machine"}',
        'quittance_db_pool_size{pool="main"}',
        'quittance_db_pool_waiting{pool="limits"}',
        'quittance_database_up 1',
        'quittance_paid_routes_open 1',
      ])
        expect(text).toContain(name);
      expect(text).not.toMatch(/^quittance_part_up\{.*\} 0$/m);
      for (const { name, type } of describeMetrics())
        expect(text).toContain(`# TYPE ${name} ${type}`);
    });

    it.runIf(hasPromtool)('pass promtool', async () => {
      const words = ['check', 'metrics'];
      const { status, stdout, stderr } = spawnSync('promtool', words, {
        input: await scrape(),
        encoding: 'utf8',
      });
      expect(`${stdout}${stderr}`).toBe('');
      expect(status).toBe(0);
    });

    it('show the cost of mints, at least the recorded part of each', async () => {
      const read = async (name: string): Promise<number> => {
        const line = new RegExp(`^quittance_${name}\\{kind="receipt"\\} (\\d+)$`, 'm');
        return Number(line.exec(await scrape())?.[1]);
      };
      await expect.poll(() => read('minted_total'), LATER).toBeGreaterThan(0);
      const costs = await serviceOf().prisma.mintAttempt.aggregate({
        _sum: { costLamports: true },
      });
      // Rows that were deleted to imitate an old backup stay counted.
      await expect
        .poll(() => read('mint_cost_lamports_total'), LATER)
        .toBeGreaterThanOrEqual(Number(costs._sum.costLamports ?? 0n));
      const average = (await read('mint_cost_lamports_total')) / (await read('minted_total'));
      expect(average).toBeGreaterThanOrEqual(95_000);
    });

    it('say that the database is down, and show no older figure of it', async () => {
      const server = new URL(serviceOf().appEnv['DATABASE_URL'] ?? '');
      const name = server.pathname.slice(1);
      server.pathname = '/postgres';
      const admin = new Client({ connectionString: server.href });
      await admin.connect();
      try {
        await admin.query(`alter database "${name}" allow_connections false`);
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`,
          [name],
        );
        await expect.poll(scrape, LATER).toContain('quittance_database_up 0');
        const text = await scrape();
        expect(text).toContain('quittance_part_up{part="ledger"} 0');
        expect(text).toContain('quittance_requests_total{');
        expect(text).not.toMatch(/^quittance_(mints|ledger|payments|tree|fees|paid_routes)[^ ]* /m);
      } finally {
        await admin.query(`alter database "${name}" allow_connections true`);
        await admin.end();
      }
      await expect.poll(scrape, LATER).toContain('quittance_paid_routes_open 1');
    });
  });
}
