import type { Action, Step } from './action';
import { readAssociated, readMemo } from './read-plain-instructions';
import { readGrowth } from './read-growth';
import { readParsedAction } from './read-parsed-action';
import { ASSOCIATED_TOKEN, isMemoProgram, SYSTEM, TOKEN, TOKEN_2022 } from './programs';
import type { Instruction } from './read-instructions';
import { readStake } from './read-stake-instruction';
import { readSystem } from './read-system-instruction';
import { readToken } from './read-token-instruction';

/** Actions of all instructions, in the order the chain executed them. */
export function readActions(instructions: readonly Instruction[]): Action[] {
  return readSteps(instructions).map(({ action }) => action);
}

/** As {@link readActions}, with who called for each. */
export function readSteps(instructions: readonly Instruction[]): Step[] {
  return instructions.flatMap((instruction) =>
    actionsOf(instruction).map((action) => ({ action, callers: instruction.callers })),
  );
}

function actionsOf(instruction: Instruction): Action[] {
  const { programId, accounts, data } = instruction;
  const special = readGrowth(instruction) ?? readStake(instruction);
  if (special) return [special];
  if (instruction.parsed !== null) return readParsedAction(instruction);
  if (data === null) return [];
  if (programId === SYSTEM) return readSystem(accounts, data);
  if (programId === TOKEN || programId === TOKEN_2022) return readToken(programId, accounts, data);
  if (programId === ASSOCIATED_TOKEN) return readAssociated(accounts, data);
  return isMemoProgram(programId) ? readMemo(data) : [];
}
