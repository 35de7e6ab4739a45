import { z } from 'zod';

type Instruction = { name: string; words: string };

/** The settings of an image, its command and its health check. */
export type ImageConfig = { env: Record<string, string>; command: string[]; healthcheck: string[] };

const words = z.array(z.string()).min(1);

/** The stages of a Dockerfile, each from its FROM on, with one instruction for each entry. */
export function readStages(text: string): Instruction[][] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n');
  const instructions = lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`The Dockerfile has a line that is no instruction: ${line}`);
      return { name, words: rest };
    });
  const stages: Instruction[][] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

/** The settings, command and health check of the last stage. Throws when one is missing. */
export function readImageConfig(text: string): ImageConfig {
  const stage = readStages(text).at(-1) ?? [];
  const last = (name: string) => {
    const found = stage.findLast((instruction) => instruction.name === name);
    if (!found) throw new Error(`The Dockerfile has no ${name}`);
    return found.words;
  };
  const env = stage
    .filter(({ name }) => name === 'ENV')
    .flatMap((instruction) => instruction.words.split(/\s+/))
    // Variables of the build are not variables of the container.
    .map((pair) => pair.replace(/=\$\w+$/, '='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return {
    env: z.record(z.string(), z.string()).parse(Object.fromEntries(env)),
    command: parseWords(last('CMD')),
    healthcheck: parseWords(last('HEALTHCHECK').replace(/^.*? CMD (?=\[)/, '')),
  };
}

const parseWords = (text: string) => words.parse(JSON.parse(text));
