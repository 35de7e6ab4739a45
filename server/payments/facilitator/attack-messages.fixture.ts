import { MessageV0, type PublicKey } from '@solana/web3.js';

/** One more key at the end, which nobody signs. */
export function withStaticKey(message: MessageV0, key: PublicKey): MessageV0 {
  const { header } = message;
  const numReadonlyUnsignedAccounts = header.numReadonlyUnsignedAccounts + 1;
  return new MessageV0({
    ...message,
    header: { ...header, numReadonlyUnsignedAccounts },
    staticAccountKeys: [...message.staticAccountKeys, key],
  });
}

/** Other accounts for the instruction at a place. */
export function withAccounts(
  message: MessageV0,
  at: number,
  accountKeyIndexes: number[],
): MessageV0 {
  const compiledInstructions = message.compiledInstructions.map((one, i) =>
    i === at ? { ...one, accountKeyIndexes } : one,
  );
  return new MessageV0({ ...message, compiledInstructions });
}

/** Another program for the instruction at a place. */
export function withProgram(message: MessageV0, at: number, programIdIndex: number): MessageV0 {
  const compiledInstructions = message.compiledInstructions.map((one, i) =>
    i === at ? { ...one, programIdIndex } : one,
  );
  return new MessageV0({ ...message, compiledInstructions });
}
