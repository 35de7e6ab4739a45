/** A command as a document prints it, with its position. */
export type DocumentedCommand = { file: string; line: number; command: string };

/** A command in a sentence: a program with at least one word behind it. A program alone is only named. */
const INLINE =
  /^(?:[A-Z_]+=\S+ )*(?:alter|apt-get|curl|docker|inngest|node|npm|npx|pg_dump|pg_restore|prisma|promtool|psql|python3|scripts\/\S+\.sh|sha256sum|shasum|tsx|vitest) \S/;
const FENCE = /^\s*```(\w*)/;

/**
 * Every command of a document, in order. These are the lines of its `sh` blocks, with continued
 * lines joined and remarks left out, and the commands in backticks within a sentence.
 */
export function collectCommands(file: string, text: string): DocumentedCommand[] {
  const found: DocumentedCommand[] = [];
  let block: string | null = null;
  let begun = '';
  for (const [at, line] of text.split('\n').entries()) {
    const fence = FENCE.exec(line);
    if (fence) {
      block = block === null ? (fence[1] ?? '') : null;
    } else if (block === 'sh') {
      const part = withoutRemark(line).trim();
      begun += part.endsWith('\\') ? `${part.slice(0, -1).trim()} ` : part;
      if (part.endsWith('\\')) continue;
      if (begun !== '') found.push({ file, line: at + 1, command: begun });
      begun = '';
    } else if (block === null) {
      for (const [, command = ''] of line.matchAll(/`([^`]+)`/g))
        if (INLINE.test(command)) found.push({ file, line: at + 1, command });
    }
  }
  return found;
}

const withoutRemark = (line: string) => line.replace(/(?:^|\s+)#\s.*$/, '');
