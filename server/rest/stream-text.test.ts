import { describe, expect, it, vi } from 'vitest';
import * as logModule from '@/server/log';
import { standIn } from '@/tests/harness/stand-in';
import { streamText } from './stream-text';

const error = vi.fn();
standIn(logModule, { log: () => ({ error }) });

const file = { contentType: 'text/csv', fileName: 'a.csv', requestId: 'r' };

describe('streamText', () => {
  it('asks for a piece only when there is space for it, and for none once the client is gone', async () => {
    let made = 0;
    let ended = false;
    async function* pieces() {
      try {
        for (;;) {
          made += 1;
          yield `${made}\n`;
        }
      } finally {
        ended = true;
      }
    }
    const reader = streamText(pieces(), file).body?.getReader();
    await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made).toBeLessThanOrEqual(3);
    await reader?.cancel();
    expect(ended).toBe(true);
  });

  it('breaks off when a piece cannot be made, so that half a file is no file', async () => {
    async function* pieces() {
      yield 'head\n';
      throw new Error('the database went away');
    }
    await expect(streamText(pieces(), file).text()).rejects.toThrow('went away');
    expect(error).toHaveBeenCalledOnce();
  });
});
