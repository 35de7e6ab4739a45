import { describe, expect, it } from 'vitest';
import { batchQuestions } from './ask-nodes';

const doubles = () => {
  const asked: number[][] = [];
  const ask = batchQuestions(
    async (items: readonly number[]) => {
      asked.push([...items]);
      if (items.includes(13)) throw new Error('no');
      return items.map((item) => 2 * item);
    },
    { most: 3, waitMs: 5 },
  );
  return { asked, ask };
};

describe('questions asked at the same time', () => {
  it('are one question, and each asker gets its own answers in its own order', async () => {
    const { asked, ask } = doubles();
    expect(await Promise.all([ask([5]), ask([2, 1])])).toEqual([[10], [4, 2]]);
    expect(asked).toEqual([[5, 2, 1]]);
  });

  it('are split where the limit of one question is reached', async () => {
    const { asked, ask } = doubles();
    expect(await Promise.all([ask([1, 2]), ask([3, 4]), ask([5])])).toEqual([[2, 4], [6, 8], [10]]);
    expect(asked).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('fail together, and the next one is asked again', async () => {
    const { ask } = doubles();
    const [one, other] = await Promise.allSettled([ask([1]), ask([13])]);
    expect([one.status, other.status]).toEqual(['rejected', 'rejected']);
    expect(await ask([4])).toEqual([8]);
  });
});
