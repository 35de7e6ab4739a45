import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Rpc } from '@/server/chain/rpc';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { noteUndecided } from '@/server/chain/undecided-transactions';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call, OperatorActor } from '../call';
import { closeUndecidedOnRecord } from './close-undecided';

const SIGNATURE = 'the signature';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.undecidedTransaction.deleteMany();
  const one = { signature: SIGNATURE, kind: 'mint', subject: 'MINT', reason: 'a hole' } as const;
  await noteUndecided(database.prisma, one);
});

type View = { slot: bigint; status: unknown } | 'down' | 'refuses';
const status = (confirmationStatus: string, err: unknown = null) => ({
  slot: 5n,
  err,
  confirmationStatus,
});
const sees = (said: unknown, slot = 10_000n): View => ({ slot, status: said });

async function close(...views: View[]): Promise<'closed' | string> {
  const see = (view: View | undefined) => async () => {
    if (view === 'down') throw new RpcUnavailable('it is down');
    if (view === 'refuses') throw new RpcRefused('getSignatureStatuses', -32099, 'no', null);
    return view;
  };
  const onNode = (node: number) => ({ seeSignature: see(views[node]) });
  const by = trusted<Omit<Call<unknown, OperatorActor>, 'input'>>(
    {
      actor: { kind: 'operator', name: 'admin:anna' },
      service: {
        db: database.prisma,
        rpc: trusted<Rpc>({ nodes: views.length, onNode }, 'nothing else is asked'),
        clock: { now: () => new Date() },
      },
    },
    'nothing else of it is read',
  );
  const input = { signature: SIGNATURE, checked: 'two explorers do not know it' };
  try {
    await closeUndecidedOnRecord({ ...by, input });
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  const row = await database.prisma.undecidedTransaction.findFirst();
  return row?.closedAt ? 'closed' : 'open';
}

describe('the operator closes an undecided transaction', () => {
  it.each<[string, View[]]>([
    ['no node knows it', [sees(null), sees(null)]],
    ['one node is down', ['down', sees(null)]],
    ['one node refuses to answer', [sees(null), 'refuses']],
    ['one that stands still calls it confirmed', [sees(status('confirmed'), 9_000n), sees(null)]],
    ['one calls it processed', [sees(status('processed')), sees(null)]],
    ['one says finally that it failed', [sees(status('finalized', 'Custom')), sees(null)]],
  ])('where %s', async (_, views) => {
    expect(await close(...views)).toBe('closed');
    expect(await close(...views)).toBe('undecided_not_open');
  });

  it.each<[string, View[]]>([
    ['one that keeps up calls it confirmed', [sees(null), sees(status('confirmed'), 9_800n)]],
    [
      'one calls it final, however far behind',
      ['down', sees(status('finalized'), 50n), sees(null)],
    ],
  ])('but not where %s', async (_, views) => {
    expect(await close(...views)).toBe('undecided_is_known');
    expect(await database.prisma.undecidedTransaction.findFirst()).toMatchObject({
      closedAt: null,
    });
  });

  const anHourAgo = () =>
    database.prisma.undecidedTransaction.updateMany({ data: { since: new Date(0) } });
  it.each(['finalized', 'confirmed'])(
    'but not where two nodes call it %s, at any age',
    async (said) => {
      await anHourAgo();
      const knows = sees(status(said));
      expect(await close(knows, 'down', knows)).toBe('undecided_is_known');
      expect(await close(knows)).toBe('undecided_is_known');
    },
  );

  it.each(['finalized', 'confirmed'])(
    'but for ten minutes only where one calls it %s',
    async (said) => {
      const views = [sees(status(said)), sees(null)];
      expect(await close(...views)).toBe('undecided_is_known');
      await anHourAgo();
      expect(await close(...views)).toBe('closed');
    },
  );

  it.each(['finalized', 'confirmed'])(
    'but not where one node calls it %s and the other is silent, at any age',
    async (said) => {
      await anHourAgo();
      expect(await close(sees(status(said)), 'down')).toBe('undecided_is_known');
    },
  );

  it('but not where the other node, which knows nothing, stands still, at any age', async () => {
    await anHourAgo();
    const views = [sees(status('finalized')), sees(null, 9_000n)];
    expect(await close(...views)).toBe('undecided_is_known');
  });

  it.each([
    [9, 'undecided_is_known'],
    [11, 'closed'],
  ])('by the database’s clock: after %i minutes it is %s', async (minutes, expected) => {
    await database.prisma
      .$executeRaw`update undecided_transactions set since = clock_timestamp() - make_interval(mins => ${minutes})`;
    expect(await close(sees(status('finalized')), sees(null))).toBe(expected);
  });

  it('but not while no node answers at all', async () => {
    expect(await close('down', 'refuses')).toContain('no node answered');
  });
});
