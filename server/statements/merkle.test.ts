import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeRows } from './list.fixture';
import { leafOf, pathOf, rootFromPath, rootOf } from '@quittance/verify/statements/merkle';
import { presentRow } from '@quittance/verify/statements/statement-rows';

const leavesOf = (count: number) => makeRows(count).map((row) => leafOf(presentRow(row)));
const sha = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
const bytes = (hex: string) => Buffer.from(hex, 'hex');

describe('the tree over the rows', () => {
  it('hashes a leaf and a node with prefixes of their own, and moves an odd one up', () => {
    expect(leafOf({ b: 1, a: 'x' })).toBe(sha(Buffer.of(0), '{"a":"x","b":1}'));
    const [a = '', b = '', c = ''] = leavesOf(3);
    const pair = sha(Buffer.of(1), bytes(a), bytes(b));
    expect(rootOf([a])).toBe(a);
    expect(rootOf([a, b])).toBe(pair);
    expect(rootOf([a, b, c])).toBe(sha(Buffer.of(1), bytes(pair), bytes(c)));
    expect(rootOf([a, b, c, c])).not.toBe(rootOf([a, b, c]));
  });

  it('leads from every row of every size to the root, and from no other row', () => {
    for (let count = 1; count <= 20; count += 1) {
      const leaves = leavesOf(count);
      const root = rootOf(leaves);
      leaves.forEach((leaf, index) => {
        const path = pathOf(leaves, index);
        expect(rootFromPath(leaf, path)).toBe(root);
        const other = leaves[(index + 1) % count];
        if (other !== undefined && count > 1) expect(rootFromPath(other, path)).not.toBe(root);
      });
      expect(() => pathOf(leaves, count)).toThrow(RangeError);
    }
  });

  it('changes with every field of every row, and with the order', () => {
    const rows = makeRows(4).map(presentRow);
    const root = rootOf(rows.map((row) => leafOf(row)));
    for (const [index, row] of rows.entries())
      for (const field of Object.keys(row)) {
        const changed = rows.map((one) => leafOf(one));
        changed[index] = leafOf({ ...row, [field]: 'other' });
        expect(rootOf(changed), field).not.toBe(root);
      }
    expect(rootOf(rows.reverse().map((row) => leafOf(row)))).not.toBe(root);
  });
});
