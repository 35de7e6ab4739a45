import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, textCell } from './csv';

describe('csvLine', () => {
  it('gives the same cells when a strict parser reads it back, for any content', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ' ', 'a', 'é', '🧾') }),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 5 }).chain((width) => {
          const record = fc.array(cell, { minLength: width, maxLength: width });
          return fc.array(record, { minLength: 1, maxLength: 5 });
        }),
        (records) => {
          const text = records.map(csvLine).join('');
          expect(parse(text, { record_delimiter: '\r\n' })).toEqual(records);
          expect(text.endsWith('\r\n')).toBe(true);
        },
      ),
    );
  });

  it('quotes a lone line feed or carriage return', () => {
    expect(csvLine(['a\nb', 'c\rd'])).toBe('"a\nb","c\rd"\r\n');
  });
});

describe('textCell', () => {
  it.each(['=1', '+1', '-1', '@a', '\t=1', '\r=1', ' =1', '＝1', '＋1', '－1', '＠a'])(
    'keeps %j from being run',
    (text) => {
      expect(textCell(text)).toBe(`'${text}`);
    },
  );

  it.each([
    ['a;=1;b', "a;'=1;b"],
    ['a; +1', "a;' +1"],
    ['=1;-1', "'=1;'-1"],
    ['a";＝1', `a";'＝1`],
  ])('keeps a part of %j from being run where semicolons part cells', (text, safe) => {
    expect(textCell(text)).toBe(safe);
  });

  it.each(['a=1', '1-1', 'a@b', "'x", '', 'é', 'a; b;c'])('leaves %j as it is', (text) => {
    expect(textCell(text)).toBe(text);
  });
});
