import { expect, it } from 'vitest';
import { printable } from './print-report';

it('nothing that is printed moves a cursor, rings, or turns text around', () => {
  const esc = String.fromCodePoint(0x1b);
  const text = `a${esc}[2Jb\u202ec\u0007d\re\nf\u200bg\u2066h é 支付 €5`;
  expect(printable(text)).toBe('a?[2Jb?c?d?e?f?g?h é 支付 €5');
  expect([...printable('x'.repeat(10_000))]).toHaveLength(400);
});
