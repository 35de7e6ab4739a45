import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { parseEnv } from '@/server/env';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { countConnections } from './count-connections';
import { describeSettings, maskUrl } from './describe-settings';
import { planSetup, type SetupState } from './plan-setup';

describe('the doctor', () => {
  it('counts how many processes fit the database’s connections', () => {
    const server = { most: 100, reserved: 3 };
    expect(countConnections({ ...server, databasePool: 10 })).toContain('enough for 2 processes');
    // 3 x 13 + 2 x 4 twice is 94.
    expect(countConnections({ ...server, databasePool: 13 })).toContain('enough for 2 processes');
    expect(() => countConnections({ ...server, databasePool: 14 })).toThrow(
      /at most 50 .*the connections are enough for 1\. Lower DATABASE_POOL/,
    );
  });

  it('shows no secret of the settings', () => {
    const [minter, storage, feePayer] = Array.from({ length: 3 }, () =>
      bs58.encode(makeEmbeddedKey()),
    );
    const secrets = {
      PAY_TO: publicKeyOf(makeEmbeddedKey()),
      FEE_PAYER_KEY: feePayer,
      ADMIN_TOKEN: 'admin-token-0123456789-0123456789',
      MINTER_KEY: minter,
      STORAGE_KEY: storage,
      DATABASE_URL: 'postgresql://app:hunter2hunter2@db.example.com/quittance',
      SOLANA_RPC_URLS:
        'https://rpc.example.com/v2/apikey-123,https://two.example.com/?key=apikey-456',
      INNGEST_EVENT_KEY: 'eventkey-789',
      INNGEST_SIGNING_KEY: 'signkey-prod-abc',
    };
    const shown = JSON.stringify(describeSettings(parseEnv(secrets)));
    for (const secret of [
      minter,
      storage,
      feePayer,
      'hunter2',
      'admin-token',
      'apikey',
      'eventkey-789',
      'signkey-prod',
    ])
      expect(shown).not.toContain(secret);
    expect(shown).toContain('app:***@db.example.com/quittance');
    expect(shown).toContain('https://rpc.example.com/***');
  });

  it('shows an address without secrets unchanged', () => {
    expect(maskUrl('http://127.0.0.1:8899')).toBe('http://127.0.0.1:8899');
  });

  const fresh: SetupState = {
    minter: 'MINTER',
    storage: 'STORAGE',
    feePayer: 'FEE_PAYER',
    payTo: 'PAY_TO',
    usdcMint: 'USDC_MINT',
    receiverLamports: 0n,
    accountLamports: 2_039_280n,
    feePayerLamports: 0n,
    pendingMigrations: 2,
    minterLamports: 0n,
    treeRoom: 0n,
    missingCollections: [],
    collectionLamports: 0n,
    offers: [
      { depth: 14, buffer: 64, canopy: 8, capacity: 16_384n, lamports: 334_000_000n },
      { depth: 20, buffer: 256, canopy: 12, capacity: 1_048_576n, lamports: 3_000_000_000n },
    ],
    mintLamports: 97_000n,
    storagePrice: 1_200n,
    storageLamports: 0n,
    serves: false,
  };
  const states = (state: SetupState) => planSetup(state).map((step) => step.state);

  it('lists the commands of a set-up in order with their cost', () => {
    const steps = planSetup(fresh);
    expect(steps.map(({ command }) => command)).toEqual([
      'npm run migrate',
      // The smallest tree and a thousand mints: 0.334 + 1000 * 0.000097.
      'solana transfer MINTER 0.431 --allow-unfunded-recipient',
      'npm run tree:create -- --depth 14 --buffer 64 --canopy 8',
      'solana transfer FEE_PAYER 0.11 --allow-unfunded-recipient',
      'spl-token create-account USDC_MINT --owner PAY_TO --fee-payer ~/.config/solana/id.json',
      'fund STORAGE at the storage node',
      'npm start',
    ]);
    expect(steps.map(({ cost }) => cost)).toEqual([
      'nothing',
      '0.431 SOL',
      '0.334 SOL, which stays in its accounts',
      '0.11 SOL',
      '0.00203928 SOL',
      '0.00024 SOL',
      'nothing',
    ]);
    expect(steps[2]?.notes).toEqual([
      'or npm run tree:create -- --depth 20 --buffer 256 --canopy 12: 1048576 receipts, 3 SOL',
    ]);
    expect(states(fresh)).toEqual([
      ...['to do', 'to do', 'to do', 'to do', 'to do'],
      ...['to do', 'to do'],
    ]);
  });

  it('marks done steps, and asks for no tree money once there is a tree', () => {
    const migrated = { ...fresh, pendingMigrations: 0 };
    expect(states(migrated)[0]).toBe('done');
    expect(states({ ...migrated, minterLamports: 430_999_999n })[1]).toBe('to do');
    expect(states({ ...migrated, minterLamports: 431_000_000n })[1]).toBe('done');
    const planted = { ...migrated, treeRoom: 5n, minterLamports: 97_000_000n };
    expect(states(planted)).toEqual([
      ...['done', 'done', 'done', 'to do', 'to do'],
      ...['to do', 'to do'],
    ]);
    expect(states({ ...planted, feePayerLamports: 109_999_999n })[3]).toBe('to do');
    const payable = { ...planted, feePayerLamports: 110_000_000n, receiverLamports: 2_039_280n };
    expect(states({ ...payable, storageLamports: 240_000n, serves: true })).toEqual(
      Array.from({ length: 7 }, () => 'done'),
    );
  });

  it('asks for collections: with the first tree, or alone if there is a tree', () => {
    const lacking = { missingCollections: ['statement'], collectionLamports: 2_000_000n };
    const [, funding, tree] = planSetup({ ...fresh, ...lacking });
    expect(funding?.cost).toBe('0.433 SOL');
    expect(tree?.notes.at(-1)).toBe('creates the collections for: statement, 0.002 SOL');
    const frozen = planSetup({ ...fresh, ...lacking, missingCollections: ['frozen receipts'] });
    expect(frozen[2]?.notes.at(-1)).toBe('creates the collections for: frozen receipts, 0.002 SOL');
    const grown = planSetup({ ...fresh, ...lacking, treeRoom: 5n });
    const step = grown.find(({ command }) => command === 'npm run tree:create -- --collections');
    expect(step).toMatchObject({ state: 'to do', cost: '0.002 SOL' });
    expect(step?.notes[0]).toContain('no collection yet for: statement');
    const silent = { missingCollections: null, collectionLamports: null, treeRoom: 5n };
    expect(planSetup({ ...fresh, ...silent })[3]).toMatchObject({ state: 'to do' });
  });

  it('counts no step as done if its state is unknown', () => {
    const unknown = { ...fresh, pendingMigrations: null, minterLamports: null, offers: [] };
    const payments = { feePayerLamports: null, receiverLamports: null, accountLamports: null };
    const storage = { storagePrice: null, storageLamports: null };
    expect(states({ ...unknown, ...payments, ...storage })).toEqual([
      ...['to do', 'to do', 'to do', 'to do', 'to do'],
      ...['to do', 'to do'],
    ]);
  });
});
