import { describe, expect, it } from 'vitest';
import bs58 from 'bs58';
import { rentLamports, STAKE, SYSTEM, VOTE } from '@quittance/verify/chain/programs';
import { readStake } from '@quittance/verify/chain/read-native-instruction';
import { MadeTransaction, named, SOL } from '../../tests/harness/chain/made-transaction';
import { codeOf, readMade as read, transferOf } from '../../tests/harness/chain/read-made';

const u32 = (value: number) => Uint8Array.of(value, 0, 0, 0);
const key = (name: string) => bs58.decode(named(name));
const STAKE_RENT = rentLamports(200n);
const VOTE_RENT = 27_074_400n;
/** A stake account with 10 SOL and its rent. */
const staked = () =>
  new MadeTransaction({ feePayer: 'me' }).wallet('stake', 10n * SOL + STAKE_RENT);
const withdraw = (to: string, lamports: bigint) =>
  (to === 'me' ? staked() : staked().wallet(to, SOL))
    .add(STAKE, ['stake', to, 'clock', 'history', 'me'], [u32(4), lamports])
    .moveLamports('stake', to, lamports);
const leftOut = (tx: MadeTransaction) =>
  read(tx).movements?.leftOut.flatMap(({ reason, from, to, amount }) =>
    reason === 'network_fee' ? [] : [{ reason, from, to, amount }],
  );

describe('SOL in a stake or vote account', () => {
  it('is its withdrawer’s own: a withdrawal to oneself is no payment', () => {
    expect(codeOf(read(withdraw('me', SOL)))).toBe('not_a_payment');
    expect(read(withdraw('me', SOL)).movements?.legs).toEqual([]);
    const ends = { from: named('stake'), to: named('me') };
    expect(leftOut(withdraw('me', SOL))).toEqual([
      { reason: 'self_transfer', amount: SOL, ...ends },
    ]);
    expect(leftOut(withdraw('me', 10n * SOL + STAKE_RENT))).toEqual([
      { reason: 'rent_returned', amount: STAKE_RENT, ...ends },
      { reason: 'self_transfer', amount: 10n * SOL, ...ends },
    ]);
  });

  it('is paid by the account when it goes to somebody else', () => {
    expect(read(withdraw('other', SOL)).movements?.legs).toMatchObject([
      { owner: named('stake'), kind: 'program', direction: 'given', amount: SOL },
      { owner: named('other'), direction: 'got', amount: SOL },
    ]);
  });

  it('comes back from a vote account in the same way', () => {
    const tx = new MadeTransaction({ feePayer: 'me' })
      .wallet('vote', 3n * SOL + VOTE_RENT)
      .add(VOTE, ['vote', 'me', 'me'], [u32(3), 3n * SOL + VOTE_RENT])
      .moveLamports('vote', 'me', 3n * SOL + VOTE_RENT);
    const ends = { from: named('vote'), to: named('me') };
    expect(leftOut(tx)).toEqual([
      { reason: 'rent_returned', amount: VOTE_RENT, ...ends },
      { reason: 'self_transfer', amount: 3n * SOL, ...ends },
    ]);
  });

  const deposit = (withdrawer: string) => {
    const sum = 5n * SOL + STAKE_RENT;
    return new MadeTransaction({ feePayer: 'me' })
      .wallet('new stake', 0n)
      .moveLamports('me', 'new stake', sum)
      .add(SYSTEM, ['me', 'new stake'], [u32(0), sum, 200n, bs58.decode(STAKE)])
      .add(STAKE, ['new stake', 'rent'], [u32(0), key('me'), key(withdrawer)]);
  };

  it('is moved to oneself when one opens a stake account of one’s own', () => {
    const ends = { from: named('me'), to: named('new stake') };
    expect(leftOut(deposit('me'))).toEqual([
      { reason: 'rent_opened', amount: STAKE_RENT, ...ends },
      { reason: 'self_transfer', amount: 5n * SOL, ...ends },
    ]);
    expect(read(deposit('me')).movements?.legs).toEqual([]);
  });

  it('is a payment into an account that somebody else can withdraw from', () => {
    expect(transferOf(read(deposit('other')))).toMatchObject({ amount: 5n * SOL });
    const given = deposit('me').add(
      STAKE,
      ['new stake', 'clock', 'me'],
      [u32(1), key('other'), u32(1)],
    );
    expect(transferOf(read(given))).toMatchObject({ amount: 5n * SOL });
  });

  it('stays one owner’s when it is split or merged', () => {
    const split = staked()
      .wallet('part', STAKE_RENT)
      .add(STAKE, ['stake', 'part', 'me'], [u32(3), 4n * SOL])
      .moveLamports('stake', 'part', 4n * SOL);
    const merge = staked()
      .wallet('rest', SOL)
      .add(STAKE, ['stake', 'rest', 'clock', 'history', 'me'], [u32(7)])
      .moveLamports('rest', 'stake', SOL);
    expect([split, merge].map((tx) => read(tx).movements?.legs)).toEqual([[], []]);
    expect(leftOut(split)).toMatchObject([{ reason: 'self_transfer', amount: 4n * SOL }]);
    expect(leftOut(merge)).toMatchObject([{ reason: 'self_transfer', amount: SOL }]);
  });

  it('is read alike from what a node parsed', () => {
    const parsed = (programId: string, type: string, info: object) =>
      readStake({ programId, accounts: [], data: null, callers: [], parsed: { type, info } });
    const out = { destination: 'b', withdrawAuthority: 'c', lamports: 7 };
    expect([
      parsed(STAKE, 'withdraw', { stakeAccount: 'a', ...out }),
      parsed(VOTE, 'withdraw', { voteAccount: 'a', ...out }),
      parsed(STAKE, 'split', { stakeAccount: 'a', newSplitAccount: 'b', lamports: 7 }),
      parsed(STAKE, 'merge', { source: 'a', destination: 'b' }),
      parsed(STAKE, 'initialize', { stakeAccount: 'a', authorized: { withdrawer: 'c' } }),
      parsed(STAKE, 'initializeChecked', { stakeAccount: 'a', withdrawer: 'c' }),
      parsed(STAKE, 'authorizeChecked', { stakeAccount: 'a' }),
      parsed(STAKE, 'withdraw', { stakeAccount: 'a' }),
    ]).toEqual([
      ...[200n, 3_762n].map((bytes) => ({
        kind: 'stake-withdrawn',
        account: 'a',
        to: 'b',
        authority: 'c',
        lamports: 7n,
        bytes,
      })),
      { kind: 'stake-moved', from: 'a', to: 'b', lamports: 7n },
      { kind: 'stake-moved', from: 'a', to: 'b', lamports: null },
      { kind: 'stake-owned', account: 'a', withdrawer: 'c' },
      { kind: 'stake-owned', account: 'a', withdrawer: 'c' },
      { kind: 'stake-handed-over', account: 'a' },
      null,
    ]);
  });
});
