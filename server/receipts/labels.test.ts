import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanLabel } from '@quittance/verify/receipts/clean-label';
import { invoiceIdLabel, serviceTypeLabel, terminalSafe, transactionTypeLabel } from './labels';

const textOf = (text: string) => {
  const cleaned = cleanLabel(text, 64);
  return cleaned.ok ? cleaned.text : `refused: ${cleaned.refusal.code}`;
};

describe('a label', () => {
  test.each([
    ['composed', 'Cafe\u0301', 'Café'],
    ['trimmed, white space collapsed', ' \t API \u3000\n  calls\u00a0', 'API calls'],
    ['freed of control characters', 'API\u0000\u001b[31m calls\u0085\u009b', 'API[31m calls'],
    ['freed of bidi marks', '\u202eabc\u2066def\u2069\u200f', 'abcdef'],
    [
      'freed of what cannot be seen',
      'a\u200bb\ufeffc\u00add\u2060e\u3164f\u{e0041}g\u2800',
      'abcdefg',
    ],
    ['composed once what stood between is gone', 'e\u200d\u0301', 'é'],
    ['kept in any script', 'Кофе Καφές コーヒー قهوة', 'Кофе Καφές コーヒー قهوة'],
    ['kept with a colon', 'Market data: May', 'Market data: May'],
  ])('is %s', (_, given, expected) => {
    expect(textOf(given)).toBe(expected);
  });

  test.each([
    ['Persian', 'می\u200cخواهم نامه\u200cها'],
    ['Urdu', 'کتاب\u200cیں'],
    ['Sinhala', 'ශ්\u200dරී ලංකා ක්\u200dරෙඩිට්'],
    ['Malayalam', 'അവന്\u200d ക്\u200cഷ'],
    ['Hindi', 'क्\u200dष'],
    ['Bengali', 'র\u200d্যাম'],
    ['a family', '👨\u200d👩\u200d👧'],
    ['a tone and a job', '👩🏽\u200d🚒'],
    ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a keycap', '1\ufe0f\u20e3 #\ufe0f\u20e3'],
    ['emoji that are letters elsewhere', '☕\ufe0f ©\ufe0f ❤\ufe0f\u200d🔥'],
  ])('keeps what cannot be seen where %s needs it', (_, given) => {
    expect(textOf(given)).toBe(given.normalize('NFC'));
  });

  test.each([
    ['between Latin letters', 'ab\u200dcd\u200cef', 'abcdef'],
    ['after a letter that joins no next one', 'د\u200cا', 'دا'],
    ['at the end of a word', 'می\u200c نام', 'می نام'],
    ['behind a digit that is no keycap', '1\ufe0f2', '12'],
    ['twice between emoji', '👨\u200d\u200d👩', '👨👩'],
    ['in the tag of no flag', '🏴\u{e0068}\u{e0069}\u{e007f}', '🏴'],
    [
      'behind a flag',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0041}',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
  ])('has no joiner %s', (_, given, expected) => {
    expect(textOf(given)).toBe(expected);
  });

  test.each(['', '   ', '\u200b\u202e\ufeff', '\u0000\u001f', '\u3164', '\u2800'])(
    'with nothing to see is refused (%j)',
    (given) => {
      expect(cleanLabel(given, 64)).toEqual({ ok: false, refusal: { code: 'empty' } });
    },
  );

  test.each([
    'see http://evil.com',
    'HTTPS://evil.com',
    'ipfs://Qm',
    'ht\u200btp://evil.com',
    'ｈｔｔｐ：／／evil.com',
    'www.evil.com',
    'claim: evil.com/airdrop',
    'evil。com/airdrop',
    'пример.рф/подарок',
    'javascript:alert(1)',
    'data:text/html,<script>',
    'data: text/html,x',
    'mailto:a',
    'tel\ufe0f:1',
    'ക്\u200dk://evil',
  ])('with a link is refused (%s)', (given) => {
    expect(textOf(given)).toBe('refused: link');
  });

  test.each(['@evil', 'ask @Evil_1', 'a@b.com', '＠evil', '@3lau'])(
    'with a handle or an address is refused (%s)',
    (given) => {
      expect(textOf(given)).toBe('refused: handle');
    },
  );

  test('with half of a surrogate pair is refused', () => {
    expect(textOf('a\ud83d')).toBe('refused: half_character');
    expect(textOf('\udc00')).toBe('refused: half_character');
  });

  test('is as long as its code points, after cleaning', () => {
    expect(serviceTypeLabel.safeParse('😀'.repeat(64)).success).toBe(true);
    expect(serviceTypeLabel.safeParse('😀'.repeat(65)).success).toBe(false);
    expect(serviceTypeLabel.safeParse(`${'a'.repeat(64)}${'\u200b'.repeat(500)}  `).success).toBe(
      true,
    );
    expect(transactionTypeLabel.safeParse('a'.repeat(32)).success).toBe(true);
    expect(invoiceIdLabel.safeParse('a'.repeat(65)).success).toBe(false);
    const [issue] = transactionTypeLabel.safeParse('a'.repeat(33)).error?.issues ?? [];
    expect(issue).toMatchObject({
      message: 'At most 32 characters are allowed, and it has 33.',
      params: { refusal: { code: 'too_long', most: 32, length: 33 } },
    });
  });

  test('of a receipt is refused where its image has no glyph for it', () => {
    expect(serviceTypeLabel.safeParse('Кофе, コーヒー, قهوة, 커피 ☕').success).toBe(true);
    const [issue] = serviceTypeLabel.safeParse('papyrus 𓀀').error?.issues ?? [];
    expect(issue).toMatchObject({
      message: 'The image of the receipt cannot show 𓀀 [U+13000]. Use other characters.',
      params: { refusal: { code: 'no_glyph', found: '𓀀 [U+13000]' } },
    });
    // Where nothing is drawn, such as in a private note, it may stand.
    expect(textOf('papyrus 𓀀')).toBe('papyrus 𓀀');
  });

  test.each([
    ['phantom.app', 'domain', 'phantom.app'],
    ['Free MINT', 'prize', 'free mint'],
  ])('of a receipt is refused with %s', (given, code, found) => {
    const [issue] = serviceTypeLabel.safeParse(`see ${given} now`).error?.issues ?? [];
    expect(issue).toMatchObject({ params: { refusal: { code, found } } });
    expect(issue?.message).toMatch(/^[A-Z].*\.$/);
    // Older receipts hold them, so the verifier accepts them.
    expect(textOf(given)).toBe(given);
  });

  test('that is clean is not changed by cleaning it again', () => {
    fc.assert(
      fc.property(fc.string({ unit: MIXED, maxLength: 40 }), (given) => {
        const once = cleanLabel(given, 4000);
        if (once.ok) expect(cleanLabel(once.text, 4000)).toEqual(once);
      }),
      { numRuns: 20_000 },
    );
  });

  test('without invisible characters is the same as under the rule of the first release', () => {
    const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;
    const asBefore = (text: string) =>
      text
        .replace(UNSEEN, '')
        .replace(/\s+/gu, ' ')
        .replace(/\p{Cc}/gu, '')
        .normalize('NFC')
        .replace(/ +/g, ' ')
        .trim();
    fc.assert(
      fc.property(fc.string({ unit: MIXED, maxLength: 40 }), (given) => {
        const before = asBefore(given);
        const now = cleanLabel(before, 4000);
        if (now.ok) expect(now.text).toBe(before);
      }),
      { numRuns: 5_000 },
    );
  });
});

/** Characters that joiners depend on, between any others. */
const MIXED = fc.oneof(
  fc.constantFrom(
    ...[' ', '\u0301', '\u200d', '\u200c', '\u202e', '\u1100', '\u1161', 'a', '.', '/', '@'],
    ...['\ufe0f', '\u20e3', '1', '👩', '🏽', '🏴', '❤', '\u{e0067}', '\u{e0062}', '\u{e007f}'],
    ...['\u0dca', 'ක', '\u0d4d', 'ന', '\u0647', '\u0648', '\u064a', '\u0654', '\u0621', '\u0009'],
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);

describe('text for a terminal', () => {
  test('shows every character that would steer it', () => {
    expect(terminalSafe('a\u001b[2Jb\r\nc\u202ed\u009be')).toBe(
      'a\\u{1b}[2Jb\\u{d}\\u{a}c\\u{202e}d\\u{9b}e',
    );
    expect(terminalSafe('x\ud800')).toBe('x\\u{d800}');
  });

  test('is left alone where it is harmless', () => {
    expect(terminalSafe('Кофе, コーヒー ☕ 0.75 USDC')).toBe('Кофе, コーヒー ☕ 0.75 USDC');
  });
});
