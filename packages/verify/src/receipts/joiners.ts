/** Code points of the combining class "virama" (9 in UnicodeData.txt) in scripts that use joiners. */
const VIRAMA =
  '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0f84\\u1039\\u103a\\u17d2\\u1b44\\ua8c4\\ua9c0';

/** Letters of the Arabic script that join only the letter before them (type R in ArabicShaping.txt, Unicode 17). */
const RIGHT_JOINING =
  '\\u0622-\\u0625\\u0627\\u0629\\u062f-\\u0632\\u0648\\u0671-\\u0673\\u0675-\\u0677\\u0688-\\u0699\\u06c0\\u06c3-\\u06cb\\u06cd\\u06cf\\u06d2\\u06d3\\u06d5\\u06ee\\u06ef\\u0759-\\u075b\\u076b\\u076c\\u0771\\u0773\\u0774\\u0778\\u0779\\u0870-\\u0882\\u088e\\u08aa-\\u08ac\\u08ae\\u08b1\\u08b2\\u08b9';
/** Letters of the Arabic script that join no letter (type U). */
const NON_JOINING = '\\u0621\\u0674\\u06e5\\u06e6\\u08ad';
const ARABIC_LETTER = '(?=\\p{L})\\p{Script=Arabic}';

/** An emoji with its tone, or with U+FE0F. */
const EMOJI = '\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})?';
/** The endings of the flags of England, Scotland and Wales, the only tag sequences recommended for interchange. */
const [ENG, SCT, WLS] = ['eng', 'sct', 'wls'].map(tags);

/**
 * Sequences whose invisible characters the script or the emoji needs. A published rule gives each, so no other text can be
 * hidden in them:
 *
 * - UTS #51: ZWJ between emoji, U+FE0F after an emoji, keycaps, the flags above.
 * - RFC 5892, appendix A.1 and A.2: ZWNJ and ZWJ after a virama, which Sinhala, Malayalam and Hindi need.
 *   ZWNJ between letters of the Arabic script that would join, which Persian, Urdu and Kurdish need.
 * - The Unicode Standard, chapters 12 and 13: ZWJ between a letter and a virama, for ya-phalaa and touching letters.
 */
export const NEEDED_SEQUENCES = [
  `${EMOJI}(?:\\u200d${EMOJI})+`,
  '[0-9#*]\\ufe0f\\u20e3',
  `\\u{1f3f4}${tags('gb')}(?:${ENG}|${SCT}|${WLS})\\u{e007f}`,
  '(?![0-9#*])\\p{Emoji}\\ufe0f',
  `(?<=[${VIRAMA}])[\\u200c\\u200d]`,
  `(?<=\\p{L}\\p{M}*)\\u200d(?=[${VIRAMA}])`,
  `(?<=(?![${RIGHT_JOINING}${NON_JOINING}])${ARABIC_LETTER}\\p{Mn}*)\\u200c(?=\\p{Mn}*(?![${NON_JOINING}])${ARABIC_LETTER})`,
].join('|');

/** Letters as the tag characters that stand for them, for a pattern. */
function tags(letters: string): string {
  return Array.from(letters, (one) => `\\u{${(0xe0000 + one.charCodeAt(0)).toString(16)}}`).join(
    '',
  );
}
