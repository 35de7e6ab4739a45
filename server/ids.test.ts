import { describe, expect, it } from 'vitest';
import { RECEIPT_ID, STATEMENT_ID, randomIds } from './ids';

describe('ids', () => {
  it('of receipts are 12 characters without the letters people misread', () => {
    const ids = Array.from({ length: 500 }, () => randomIds.receiptId());
    for (const id of ids) expect(id).toMatch(RECEIPT_ID);
    expect(ids.join('')).not.toMatch(/[ILOU]/);
    expect(new Set(ids).size).toBe(500);
  });

  it('of statements begin with STMT', () => {
    expect(randomIds.statementId()).toMatch(STATEMENT_ID);
  });
});
