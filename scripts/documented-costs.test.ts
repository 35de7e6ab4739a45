import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planTree, RECOMMENDED_TREES } from '@/server/nft/plan-tree';
import { FREE_IN_FLIGHT, PAID_IN_FLIGHT } from '@/server/jobs/mint-nft';
import { MINT_LAMPORTS } from '@/server/nft/offline-umi';

const operation = readFileSync('docs/operation/costs.md', 'utf8');
const { small: SMALL, large: LARGE } = RECOMMENDED_TREES;
/** Solana's rent exemption: 6,960 lamports a byte, and 128 bytes more for each account. */
const rentOf = (bytes: number) => BigInt(128 + bytes) * 6_960n;
/** The account of a tree's settings. */
const CONFIG_BYTES = 96;
const FREE_A_DAY = 2_000n;
/** The default of 20,000 micro-lamports for each of 100,000 compute units. */
const PRIORITY_LAMPORTS = 2_000n;

type Size = typeof SMALL | typeof LARGE;

function treeOf(o: Size): { places: bigint; rent: bigint } {
  const planning = planTree(o);
  if (!planning.ok) throw new Error(planning.reason);
  const { bytes, capacity } = planning.plan;
  return { places: capacity, rent: rentOf(bytes) + rentOf(CONFIG_BYTES) };
}

/** Lamports as SOL with some decimals, rounded half up. */
function sol(lamports: bigint, decimals: number): string {
  const unit = 10n ** BigInt(9 - decimals);
  const text = String((2n * lamports + unit) / (2n * unit)).padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

describe('the costs in docs/operation/costs.md', () => {
  it.each([
    ['small', SMALL],
    ['large', LARGE],
  ])('of a %s tree are its rent, and for each place', (name, size) => {
    const { places, rent } = treeOf(size);
    const row = operation.split('\n').find((line) => new RegExp(`^\\| ${name} `).test(line));
    expect(row).toContain(`${places.toLocaleString('en-US')} `);
    expect(row).toContain(`${sol(rent, 6)} SOL`);
    expect(row).toContain(`${sol(rent / places, 7)} SOL`);
  });

  it('of a day of free receipts are those of that many NFTs and places', () => {
    const aDay = (size: Size) => {
      const { places, rent } = treeOf(size);
      return sol(FREE_A_DAY * (MINT_LAMPORTS + PRIORITY_LAMPORTS + rent / places), 3);
    };
    const text = operation.replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      `at most ${aDay(SMALL)} SOL a day in small trees and ${aDay(LARGE)} SOL in large ones`,
    );
  });

  it('of a second NFT are those of one NFT and its place', () => {
    const one = (size: Size) => {
      const { places, rent } = treeOf(size);
      return sol(MINT_LAMPORTS + PRIORITY_LAMPORTS + rent / places, 7);
    };
    expect(operation.replaceAll(/\s+/g, ' ')).toContain(
      `the same again, ${one(SMALL)} SOL in small trees and ${one(LARGE)} SOL in large ones`,
    );
  });

  it('name the two recommended trees and no other, in every document', () => {
    const words = (o: Size) => `--depth ${o.depth} --buffer ${o.buffer} --canopy ${o.canopy}`;
    const documents = ['.', 'docs', 'docs/operation'].flatMap((dir) =>
      readdirSync(dir).map((name) => `${dir}/${name}`),
    );
    for (const file of documents.filter((name) => name.endsWith('.md'))) {
      const text = readFileSync(file, 'utf8');
      for (const [named] of text.matchAll(/--depth \d+[^\n`|]*/g))
        expect([words(SMALL), words(LARGE)], file).toContain(named.trim());
    }
  });

  it('name the mints that are under way at once', () => {
    expect(operation).toContain(`${PAID_IN_FLIGHT} paid and ${FREE_IN_FLIGHT} free mints at once`);
  });

  it('match the tree that npm run tree:create makes by default', () => {
    const help = readFileSync('scripts/tree-create.ts', 'utf8');
    for (const [name, value] of Object.entries(SMALL))
      expect(help).toContain(`${name}: { type: 'string', default: '${value}' }`);
  });
});
