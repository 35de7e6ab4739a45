type Rule = { pattern: RegExp; why: string };

const OPENINGS: Rule = {
  pattern:
    /^(?:(?:[Ww]hat(?:ever)?|[Ww]ho(?:m|ever)?|That)\b(?!.*\?$)|Of (?:where|what|which|whom)\b)/,
  why: 'name the thing that the sentence is about instead',
};
const REASON: Rule = {
  pattern: /, since\b|, as (?:it|they|he|she|we|nobody|there|only|all|both) /i,
  why: 'write "because" for a reason, or "like" for a comparison',
};
const WORDS: readonly Rule[] = [
  { pattern: /\bmend(?:s|ed|ing)?\b/i, why: 'write "fix" or "repair"' },
  { pattern: /\bdeeds?\b/i, why: 'write "action"' },
  { pattern: /\btold\b/i, why: 'write "reported", "notified" or "shown"' },
  { pattern: /\brooms?\b/i, why: 'write "space"' },
  { pattern: /\bdoors?\b/i, why: 'write "endpoint" or "way in"' },
  { pattern: /\bpictures?\b/i, why: 'write "image"' },
  { pattern: /\btwins?\b/i, why: 'write "duplicate" or "counterpart"' },
  { pattern: /\bon (?:its|their) way\b/i, why: 'write "sent" or "under way"' },
  { pattern: /\bby (?:itself|themselves)\b/i, why: 'write "automatically" or "alone"' },
  { pattern: /\b(?:go|goes|going|gone|went) through\b/i, why: 'write "read" or "scan"' },
  { pattern: /\bgiv(?:e|es|en|ing) back\b|\bgave back\b/i, why: 'write "return" or "refund"' },
  { pattern: /\bfor good\b/i, why: 'write "permanently"' },
  { pattern: /\bamiss\b/i, why: 'write "wrong"' },
  { pattern: /\banew\b/i, why: 'write "again"' },
  {
    pattern: /\b(?:a|one|each|every|first|last|next|second|another|no|this|cheap) look\b(?!-)/i,
    why: 'write "check", "poll" or "scan"',
  },
];

/** A text for people: its lines in a row, and the line of the file that the first one is in. */
export type Text = { line: number; lines: string[] };

/** The faults of the sentences of a text, each with its line. `most` is the limit in words. */
export function faultsOfText({ line, lines }: Text, most: number): { line: number; why: string }[] {
  return sentencesOf(lines).flatMap(({ at, words }) =>
    faultsOfSentence(words, most).map((why) => ({ line: line + at, why })),
  );
}

function faultsOfSentence(sentence: string, most: number): string[] {
  const count = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const long =
    count > most
      ? [`a sentence has ${count} words, more than ${most}: split it ("${brief(sentence)}")`]
      : [];
  const plain = withoutQuotes(sentence);
  const broken = [OPENINGS, REASON, ...WORDS].flatMap(({ pattern, why }) => {
    const found = pattern.exec(plain);
    return found === null ? [] : [`"${found[0].trim()}": ${why} ("${brief(sentence)}")`];
  });
  return [...long, ...broken];
}

const brief = (sentence: string) =>
  sentence.length > 60 ? `${sentence.slice(0, 60)}...` : sentence;

/** Code, addresses and quoted text keep their own words. */
const withoutQuotes = (text: string) =>
  text.replaceAll(/`[^`]*`|\{@link [^}]*\}|"[^"]*"|https?:\S+/g, '`code`');

type Sentence = { at: number; words: string };

/** Sentences with the line of the text that they begin in. Blank lines and lists end one. */
function sentencesOf(lines: readonly string[]): Sentence[] {
  const sentences: Sentence[] = [];
  let isOpen = false;
  for (const [at, line] of lines.entries()) {
    if (line === '' || /^(?:-|\d+\.) /.test(line)) isOpen = false;
    for (const part of line.replace(/^(?:-|\d+\.) /, '').split(/(?<=[.?!][)"]?)\s+/)) {
      const last = sentences.at(-1);
      if (part === '') continue;
      if (isOpen && last) last.words += ` ${part}`;
      else sentences.push({ at, words: part });
      isOpen = !/[.?!][)"]?$/.test(part);
    }
  }
  return sentences;
}
