import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { isWalletAddress } from '@quittance/verify/wallets/base58';
import {
  LOOKUP_TABLE,
  rentLamports,
  SYSTEM,
  TOKEN_2022,
  UPGRADEABLE_LOADER,
} from '@quittance/verify/chain/programs';
import { readGrowth } from '@quittance/verify/chain/read-actions';
import { FEE, MadeTransaction, named, SOL } from '../../tests/harness/chain/made-transaction';
import { codeOf, readMade as read, transferOf } from '../../tests/harness/chain/read-made';
import { TIPS } from '@quittance/verify/chain/tips';

const u32 = (value: number) => Uint8Array.of(value, 0, 0, 0);
const payer = () => new MadeTransaction({ feePayer: 'payer' });
const extend = (count: number, lamports: bigint) =>
  payer()
    .wallet('table', 1_285_440n)
    .add(LOOKUP_TABLE, ['table', 'payer', 'payer'], [u32(2), BigInt(count), new Uint8Array(32)])
    .sendSol('payer', 'table', lamports, { by: LOOKUP_TABLE });
const reasons = (tx: MadeTransaction) =>
  read(tx).movements?.leftOut.map(({ reason, amount }) => `${reason} ${amount}`);
const legs = (tx: MadeTransaction) =>
  read(tx).movements?.legs.map((leg) => `${leg.direction} ${leg.owner} ${leg.amount}`);

describe('SOL that is no leg', () => {
  it('makes a lookup table larger: 0.00044544 SOL for two addresses', () => {
    expect(codeOf(read(extend(2, 445_440n)))).toBe('not_a_payment');
    expect(reasons(extend(2, 445_440n))).toContain('rent_grown 445440');
  });

  it('is rent of the growth alone: what is more goes to the account', () => {
    const tx = extend(2, 445_440n + SOL);
    expect(reasons(tx)).toContain('rent_grown 445440');
    expect(transferOf(read(tx))).toMatchObject({ seller: named('table'), amount: SOL });
  });

  it('makes a program larger by the instruction that its authority signs: 10,240 bytes', () => {
    const grow = () => payer().sendSol('payer', 'code', 71_270_400n, { by: UPGRADEABLE_LOADER });
    const accounts = ['code', 'program', 'payer', SYSTEM, 'payer'];
    const data = Uint8Array.of(9, 0, 0, 0, 0, 40, 0, 0);
    const checked = () => grow().add(UPGRADEABLE_LOADER, accounts, [data]);
    expect(reasons(checked())).toContain('rent_grown 71270400');
    expect(codeOf(read(checked()))).toBe('not_a_payment');
    const grown = (type: string) => ({
      programId: UPGRADEABLE_LOADER,
      accounts: [],
      data: null,
      callers: [],
      parsed: { type, info: { additionalBytes: 10_240, programDataAccount: 'code' } },
    });
    for (const type of ['extendProgram', 'extendProgramChecked'])
      expect(readGrowth(grown(type))).toEqual({
        kind: 'account-grown',
        account: 'code',
        lamports: 71_270_400n,
      });
  });

  it('makes a program or a token account larger', () => {
    const program = payer()
      .add(UPGRADEABLE_LOADER, ['code', 'program'], [u32(6), u32(100)])
      .sendSol('payer', 'code', 696_000n, { by: UPGRADEABLE_LOADER });
    expect(reasons(program)).toContain('rent_grown 696000');
    const token = payer()
      .account('to', { owner: 'seller', amount: 0n })
      .add(TOKEN_2022, ['to', 'payer'], [29, 8])
      .sendSol('payer', 'to', 34_800n, { by: TOKEN_2022 });
    expect(reasons(token)).toContain('rent_grown 34800');
  });

  it('funds a program account, up to 0.01 SOL in all; more is paid to it', () => {
    const twice = (lamports: bigint) =>
      payer().sendSol('payer', 'pda state', lamports).sendSol('payer', 'pda state', lamports);
    expect(reasons(twice(5_000_000n))).toContain('account_funding 5000000');
    expect(codeOf(read(twice(5_000_000n)))).toBe('not_a_payment');
    expect(transferOf(read(twice(5_000_001n)))).toMatchObject({
      seller: named('pda state'),
      sellerKind: 'program',
      amount: 10_000_002n,
    });
    expect(transferOf(read(payer().sendSol('payer', 'wallet', 5_000_000n))).amount).toBe(
      5_000_000n,
    );
  });

  it('comes back as rent from a program account that held what its size needs, and no more', () => {
    // 289 bytes; the account of a program that closes it by its own instruction.
    const rent = rentLamports(289n);
    const closed = (lamports: bigint) =>
      payer()
        .wallet('state', lamports)
        .add('some program', ['state', 'payer'], [1])
        .moveLamports('state', 'payer', lamports);
    expect(reasons(closed(rent))).toContain(`rent_returned ${rent}`);
    expect(reasons(closed(rent + 2n))).toContain(`rent_returned ${rent + 2n}`);
    expect(codeOf(read(closed(rent)))).toBe('not_a_payment');
    // 0.07 SOL and the rent with 0.01 SOL on top are paid out of it.
    for (const paid of [70_000_000n, rent + 10_000_000n])
      expect(transferOf(read(closed(paid)))).toMatchObject({
        payer: named('state'),
        payerKind: 'program',
        seller: named('payer'),
        amount: paid,
      });
  });

  it('is rent as far as the size goes of an account that lives for one transaction', () => {
    const rent = rentLamports(100n);
    const tx = payer()
      .wallet('other', SOL)
      .wallet('state', 0n)
      .moveLamports('payer', 'state', rent)
      .add(SYSTEM, ['payer', 'state'], [u32(0), rent, 100n, bs58.decode(named('some program'))])
      .sendSol('payer', 'state', 40_000_000n)
      .add('some program', ['state', 'other'], [1])
      .moveLamports('state', 'other', rent + 40_000_000n);
    expect(reasons(tx)).toContain(`rent_returned ${rent}`);
    expect(legs(tx)).toEqual([
      `given ${named('payer')} 40000000`,
      `got ${named('other')} 40000000`,
    ]);
  });

  it('added to a token account that is closed goes to the receiver of the closing', () => {
    const close = (stuffed: bigint) => {
      const tx = payer().wallet('other', SOL).account('old', { owner: 'payer', amount: 0n });
      if (stuffed > 0n) tx.wallet('old', 2_039_280n + stuffed);
      return tx.close('old', 'other', 'payer');
    };
    expect(legs(close(0n))).toEqual([]);
    expect(legs(close(5_000_000n))).toEqual([
      `given ${named('payer')} 5000000`,
      `got ${named('other')} 5000000`,
    ]);
  });

  it('sent into the token account of another wallet is paid to that wallet', () => {
    const tx = payer()
      .account('to', { owner: 'seller', amount: 0n })
      .sendSol('payer', 'to', 5_000_000n);
    expect(transferOf(read(tx))).toMatchObject({ seller: named('seller'), amount: 5_000_000n });
  });

  it('paid to a program account beside an NFT that cannot be seen is listed, up to the last lamport', () => {
    const core = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d';
    const sale = (cut: bigint) =>
      payer()
        .sendSol('payer', 'seller', SOL)
        .sendSol('payer', 'pda market', cut)
        .add(core, ['asset', 'payer'], [14]);
    expect(transferOf(read(sale(10_000_001n))).otherLegs).toMatchObject([
      { owner: named('pda market'), kind: 'program', amount: 10_000_001n },
    ]);
    expect(reasons(sale(10_000_000n))).toContain('account_funding 10000000');
  });

  it('is a tip to a published account of a relay, and named', () => {
    for (const tip of TIPS.addresses()) {
      expect(isWalletAddress(tip), tip).toBe(true);
      expect(reasons(payer().sendSol('payer', tip, 10_000_000n))).toContain('tip 10000000');
    }
    expect(TIPS.addresses()).toHaveLength(130);
  });

  it('is rent inside a token account that gets another owner', () => {
    const tx = payer().account('purse', { owner: 'payer', amount: 0n });
    expect(reasons(tx.handOver('purse', 'payer', 'other'))).toContain('rent_handed_over 2039280');
    expect(read(tx).movements?.legs).toEqual([]);
  });

  it('is the network fee, moved between own accounts, or rent that comes back', () => {
    const tx = payer()
      .account('savings', { owner: 'payer', amount: 9n })
      .account('old', { owner: 'payer', amount: 0n })
      .account('spare', { owner: 'payer', amount: 0n })
      .send('savings', 'spare', 9n, { authority: 'payer' })
      .close('old', 'payer', 'payer');
    expect(reasons(tx)).toEqual([`network_fee ${FEE}`, 'self_transfer 9', 'rent_returned 2039280']);
  });
});
