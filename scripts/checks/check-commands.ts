import { existsSync, readFileSync } from 'node:fs';
import { collectCommands, type DocumentedCommand } from './collect-commands';
import { PROVEN_COMMANDS, type Proof } from './proven-commands';

const LIST = 'scripts/checks/proven-commands.ts';
/** It reports old changes and asks no reader to run a command. */
const HISTORY = 'CHANGELOG.md';
const TEST = /\.(?:test|spec)\.ts$|^\.ci\//;

/** Every command of every Markdown file is in the list of proven commands, and each of the list is in a document and a test. */
export function checkCommands(files: string[]): string[] {
  const commands = files
    .filter((file) => file.endsWith('.md') && file !== HISTORY)
    .flatMap((file) => collectCommands(file, readFileSync(file, 'utf8')));
  return faultsOfCommands(commands, PROVEN_COMMANDS, (file) =>
    existsSync(file) ? readFileSync(file, 'utf8') : null,
  );
}

/** The faults of commands and their proofs. `read` gives the text of a file, or null if there is none. */
export function faultsOfCommands(
  commands: readonly DocumentedCommand[],
  proofs: readonly Proof[],
  read: (file: string) => string | null,
): string[] {
  const proven = proofs.flatMap((proof) => proof.commands);
  return [
    ...commands
      .filter(({ command }) => !proven.some((one) => stands(one, command)))
      .map(
        ({ file, line, command }) =>
          `${file}:${line}: no test runs \`${command}\`; run it in one and name that in ${LIST}`,
      ),
    ...proofs.flatMap((proof) => [
      ...proof.commands
        .filter((one) => !commands.some(({ command }) => stands(one, command)))
        .map((command) => `${LIST}: no document prints \`${command}\`; remove it`),
      ...faultsOfProof(proof, read(proof.file)),
    ]),
  ];
}

/** `…` at the end stands for the rest of the command, except in an address such as `https://…`. */
const stands = (one: string, command: string) =>
  one.endsWith('…') && !one.endsWith('//…')
    ? command.startsWith(one.slice(0, -1))
    : one === command;

function faultsOfProof({ commands, file, says }: Proof, text: string | null): string[] {
  if (text === null || !TEST.test(file)) return [`${LIST}: ${file} is no test and no step of CI`];
  return (says === undefined ? commands : [says])
    .filter((words) => !text.includes(words))
    .map((words) => `${LIST}: ${file} does not say \`${words}\``);
}
