import {
  NAME_PROGRAM_ID,
  NAME_TOKENIZER_ID,
  getDomainKeySync,
  NftRecord,
  ROOT_DOMAIN_ACCOUNT,
} from '@bonfida/spl-name-service';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { createRpc } from '@/server/chain/rpc';
import type { ServiceContext } from '@/server/context';
import { trusted } from '@/server/trusted';
import { httpStatus, type FakeNode } from '@/tests/harness/chain/fake-node';
import {
  addressOf,
  fieldKey,
  holdNft,
  makeNames,
  pointTo,
  pointToV1,
  record,
  register,
  registryKey,
  showNames,
  tokenise,
  tokeniseRecord,
  type Names,
} from './names.fixture';
import { recordAddress } from './record-service';
import { NAME, NAME_PROGRAM, NAME_ROOT, resolveName } from './resolve-name';

const [ALICE, BOB, CAROL] = [makeWallet(), makeWallet(), makeWallet()];
const NOW_S = 1_800_000_000n;
const SYSTEM = '11111111111111111111111111111111';
/** An address that no key has: the registry's own account of a name. */
const PROGRAM_ACCOUNT = registryKey('alice');

let names: Names;
const open: FakeNode[] = [];
beforeEach(() => {
  names = makeNames();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

const found = ({ address }: { address: string }) => ({ state: 'found', address });
const unsure = (why: string) => ({ state: 'unsure', why });

/** Asks through one node for each of these chains; the first is `names` where none is given. */
async function resolve(name: string, chains: readonly Names[] = [names], network = 'mainnet') {
  const nodes = await Promise.all(chains.map(showNames));
  open.push(...nodes);
  return ask(name, nodes, network);
}

function ask(name: string, nodes: readonly FakeNode[], network = 'mainnet') {
  const rpc = createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 2_000 });
  const db = { $queryRaw: async () => [{ ms: Number(NOW_S) * 1_000 }] };
  return resolveName(
    trusted<ServiceContext>({ rpc, db, env: { network } }, 'all that is read of it'),
    name,
  );
}

describe('the registry of .sns', () => {
  it('is where its library says', () => {
    expect([NAME_ROOT, NAME_PROGRAM]).toEqual([
      ROOT_DOMAIN_ACCOUNT.toBase58(),
      NAME_PROGRAM_ID.toBase58(),
    ]);
    // An account of mainnet, from the tests of the library.
    expect(registryKey('bonfida')).toBe('Crf8hzfthWGbGbLTVCiqRqV5MVnbpHB1L9KQMd6gsinb');
  });

  it('names the owner, and says which names it does not have', async () => {
    register(names, 'alice', ALICE.address);
    expect(await resolve('alice.sns')).toEqual(found(ALICE));
    expect(await resolve('alices.sns')).toEqual({ state: 'unknown' });
  });

  it('names the wallet of a SOL record that the owner set and that wallet signed', async () => {
    register(names, 'alice', ALICE.address);
    pointTo(names, 'alice', { wallet: BOB.address, owner: ALICE.address });
    expect(await resolve('alice.sns')).toEqual(found(BOB));
  });

  it('takes no SOL record that an earlier owner set', async () => {
    register(names, 'alice', ALICE.address);
    pointTo(names, 'alice', { wallet: BOB.address, owner: BOB.address });
    expect(await resolve('alice.sns')).toEqual(found(ALICE));
  });

  it.each([
    ['that another wallet signed', { proven: CAROL.address }],
    ['whose validation is none of Solana', { validation: 3 }],
  ])('names nobody by a SOL record %s', async (_, record) => {
    register(names, 'alice', ALICE.address);
    pointTo(names, 'alice', { wallet: BOB.address, owner: ALICE.address, ...record });
    expect(await resolve('alice.sns')).toEqual(unsure('malformed'));
  });

  it('takes a signed record of the first kind, and none that an earlier owner signed', async () => {
    register(names, 'alice', ALICE.address);
    pointToV1(names, 'alice', { wallet: BOB.address, by: ALICE });
    expect(await resolve('alice.sns')).toEqual(found(BOB));
    register(names, 'alice', CAROL.address);
    expect(await resolve('alice.sns')).toEqual(found(CAROL));
  });

  it('names the holder of the NFT of a tokenised name, and no record of it', async () => {
    tokenise(names, 'alice', BOB.address);
    pointTo(names, 'alice', { wallet: CAROL.address, owner: ALICE.address });
    expect(await resolve('alice.sns')).toEqual(found(BOB));
  });

  it('names nobody where the NFT is in no account, in two, frozen, or of another mint', async () => {
    const ways: ((nft: ReturnType<typeof tokenise>) => void)[] = [
      ({ mint }) => names.largest.set(mint, new Map()),
      ({ mint, account }) =>
        names.largest.set(mint, new Map([account, addressOf('other')].map((one) => [one, 1n]))),
      ({ held }) => held.writeUInt8(2, 108),
      ({ held }) => held.fill(7, 0, 32),
      ({ minted }) => minted.writeBigUInt64LE(2n, 36),
      ({ mint, minted }) => names.accounts.set(mint, { owner: addressOf('thief'), data: minted }),
      ({ account, held }) => names.accounts.set(account, { owner: addressOf('thief'), data: held }),
    ];
    for (const way of ways) {
      way(tokenise(names, 'alice', BOB.address));
      expect(await resolve('alice.sns'), String(way)).toEqual(unsure('malformed'));
    }
  });

  it.each([
    ['a program', PROGRAM_ACCOUNT],
    ['the system program', SYSTEM],
  ])('names nobody where %s owns the name', async (_, owner) => {
    register(names, 'alice', owner);
    expect(await resolve('alice.sns')).toEqual(unsure('no_wallet'));
  });

  it('believes no account of another program, and no bytes of another form', async () => {
    register(names, 'alice', ALICE.address);
    const data = names.accounts.get(registryKey('alice'))?.data ?? Buffer.alloc(0);
    names.accounts.set(registryKey('alice'), { owner: addressOf('thief'), data });
    expect(await resolve('alice.sns')).toEqual(unsure('malformed'));
    names.accounts.set(registryKey('alice'), {
      owner: NAME_PROGRAM,
      data: data.subarray(0, 40),
    });
    expect(await resolve('alice.sns')).toEqual(unsure('malformed'));
  });

  it('believes no record and no NFT of another program', async () => {
    register(names, 'alice', ALICE.address);
    pointTo(names, 'alice', { wallet: BOB.address, owner: ALICE.address });
    const field = names.accounts.get(fieldKey('alice'));
    if (field) field.owner = addressOf('thief');
    expect(await resolve('alice.sns')).toEqual(unsure('malformed'));
    names.accounts.delete(fieldKey('alice'));
    const name = getDomainKeySync('alice').pubkey;
    const [nft] = NftRecord.findKeySync(name, NAME_TOKENIZER_ID);
    tokenise(names, 'alice', BOB.address);
    const made = names.accounts.get(nft.toBase58());
    if (made) made.owner = NAME_PROGRAM;
    expect(await resolve('alice.sns')).toEqual(unsure('malformed'));
  });

  it('names nobody by a SOL record of a program account, which signs nothing', async () => {
    register(names, 'alice', ALICE.address);
    pointTo(names, 'alice', { wallet: PROGRAM_ACCOUNT, owner: ALICE.address });
    expect(await resolve('alice.sns')).toEqual(unsure('no_wallet'));
  });

  it('is not confused by lamports that a stranger sends to the address of a record', async () => {
    register(names, 'alice', ALICE.address);
    names.accounts.set(fieldKey('alice'), { owner: SYSTEM, data: Buffer.alloc(0) });
    expect(await resolve('alice.sns')).toEqual(found(ALICE));
  });
});

describe('the Record Service of .sol', () => {
  it('derives the records that the tests of its library have from mainnet', async () => {
    expect([
      await recordAddress('sns-ip-5-wallet-1'),
      await recordAddress('sns-ip-5-wallet-2'),
    ]).toEqual([
      '5aJnvSs3K5J1eFS1cemYHWnUeWp3QjKThWh5mWbGBgkt',
      '2gN2aGXi9kRnkXewWsshKTUWairEvMapA3z1EaqFqwMd',
    ]);
  });

  it('names a wallet only where the registry names the same', async () => {
    register(names, 'alice', ALICE.address);
    expect(await resolve('alice.sol')).toEqual(unsure('registries_differ'));
    await record(names, 'alice', { owner: BOB.address });
    expect(await resolve('alice.sol')).toEqual(unsure('registries_differ'));
    expect(await resolve('alice.sns')).toEqual(found(ALICE));
    await record(names, 'alice', { owner: ALICE.address });
    expect(await resolve('alice.sol')).toEqual(found(ALICE));
    names.accounts.delete(registryKey('alice'));
    expect(await resolve('alice.sol')).toEqual(unsure('registries_differ'));
    expect(await resolve('nobody.sol')).toEqual({ state: 'unknown' });
  });

  it('names the holder of the NFT of a record', async () => {
    register(names, 'alice', ALICE.address);
    await tokeniseRecord(names, 'alice', ALICE.address);
    expect(await resolve('alice.sol')).toEqual(found(ALICE));
    await tokeniseRecord(names, 'alice', BOB.address);
    expect(await resolve('alice.sol')).toEqual(unsure('registries_differ'));
  });

  it('ends at its expiry by the time of the database', async () => {
    register(names, 'alice', ALICE.address);
    await record(names, 'alice', { owner: ALICE.address, expiryS: NOW_S });
    expect(await resolve('alice.sol')).toEqual(unsure('expired'));
    await record(names, 'alice', { owner: ALICE.address, expiryS: NOW_S + 1n });
    expect(await resolve('alice.sol')).toEqual(found(ALICE));
  });

  it.each([
    ['frozen', { owner: ALICE.address, isFrozen: true }, 'frozen'],
    ['of another class', { owner: ALICE.address, class: addressOf('class') }, 'malformed'],
    ['owned in an unknown way', { owner: ALICE.address, ownerKind: 2 }, 'malformed'],
    ['owned by a mint that is not its own', { owner: ALICE.address, ownerKind: 1 }, 'malformed'],
    ['owned by a program', { owner: PROGRAM_ACCOUNT }, 'no_wallet'],
  ])('names nobody by a record that is %s', async (_, written, why) => {
    register(names, 'alice', ALICE.address);
    await record(names, 'alice', written);
    expect(await resolve('alice.sol')).toEqual(unsure(why));
  });

  it('believes no record of another program', async () => {
    register(names, 'alice', ALICE.address);
    await record(names, 'alice', { owner: ALICE.address });
    const kept = names.accounts.get(await recordAddress('alice'));
    if (kept) kept.owner = addressOf('thief');
    expect(await resolve('alice.sol')).toEqual(unsure('malformed'));
  });

  it('needs the token of a record to be of the program that makes them', async () => {
    register(names, 'alice', ALICE.address);
    await tokeniseRecord(names, 'alice', ALICE.address);
    const [mint = ''] = names.largest.keys();
    holdNft(names, { mint, holder: ALICE.address, program: addressOf('thief') });
    expect(await resolve('alice.sol')).toEqual(unsure('no_wallet'));
  });
});

describe('nodes', () => {
  it('are asked again each time, because names change hands', async () => {
    register(names, 'alice', ALICE.address);
    const node = await showNames(names);
    open.push(node);
    expect(await ask('alice.sns', [node])).toEqual(found(ALICE));
    register(names, 'alice', BOB.address);
    expect(await ask('alice.sns', [node])).toEqual(found(BOB));
  });

  it('must agree: one that lies, or hides the name, ends in no answer', async () => {
    register(names, 'alice', ALICE.address);
    const lies = makeNames();
    register(lies, 'alice', BOB.address);
    expect(await resolve('alice.sns', [names, lies])).toEqual(unsure('nodes_differ'));
    expect(await resolve('alice.sns', [makeNames(), names])).toEqual(unsure('nodes_differ'));
    expect(await resolve('alice.sns', [names, names])).toEqual(found(ALICE));
    expect(await resolve('alice.sns', [lies, names, names])).toEqual(found(ALICE));
  });

  it('must be two that answer, where there are two', async () => {
    register(names, 'alice', ALICE.address);
    const [node, broken] = [await showNames(names), await showNames(names)];
    open.push(node, broken);
    broken.answer = () => httpStatus(500);
    await expect(ask('alice.sns', [node, broken])).rejects.toThrow(RpcUnavailable);
  });

  it('of a network without the registry say that it has no names', async () => {
    names.accounts.clear();
    register(names, 'alice', ALICE.address);
    expect(await resolve('alice.sol')).toEqual({ state: 'no_names' });
    expect(await resolve('alice.sns', [names, names], 'local')).toEqual({ state: 'no_names' });
  });

  it('of devnet are not asked, because anybody can take any name there', async () => {
    register(names, 'alice', ALICE.address);
    expect(await resolve('alice.sns', [names], 'devnet')).toEqual({ state: 'no_names' });
    expect(open.flatMap(({ calls }) => calls)).toEqual([]);
  });
});

describe('the text of a name', () => {
  it.each([
    ...['Alice.sol', 'ALICE.SOL', 'alice', 'alice.eth', '.sol', 'alice.sol.sol', 'a.b.sol'],
    // A Cyrillic a, a zero width space, the Kelvin sign and the long s, which lower and upper case turn into k and s.
    ...['\u0430lice.sol', 'alice\u200b.sol', '\u212a.sol', '\u017f.sol', 'alice.\u017fol'],
    ...['alice.sol\n', 'al ice.sol', 'alice.sol\u202e', 'al/ice.sol', '\u{1f600}.sol'],
    `${'a'.repeat(64)}.sol`,
  ])('%j is not resolved', async (text) => {
    expect(NAME.test(text)).toBe(false);
    await expect(resolve(text)).rejects.toThrow(RangeError);
    expect(open.flatMap(({ calls }) => calls)).toEqual([]);
  });

  it.each(['alice.sol', 'a-b_c.sns', '0.sol', `${'a'.repeat(63)}.sol`])('%s is one', (text) => {
    expect(NAME.test(text)).toBe(true);
  });
});
