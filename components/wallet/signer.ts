/** A connected wallet, as the flows of this site use it: bytes in, bytes out. */
export type Signer = {
  name: string;
  address: string;
  /** Networks it says it is for, as `solana:mainnet`; null when it does not say. */
  chains: readonly string[] | null;
  /** Null where the wallet cannot sign texts. */
  signMessage: ((text: Uint8Array) => Promise<Uint8Array>) | null;
  /** Sign-In With Solana of the wallet's own. Null where it has none. */
  signIn: ((input: object) => Promise<{ signedMessage: Uint8Array; signature: Uint8Array }>) | null;
  /** Gives the signed transaction back. Null where the wallet cannot. */
  signTransaction: ((wire: Uint8Array) => Promise<Uint8Array>) | null;
  /** Signs and sends. Null where the wallet cannot. */
  signAndSend: ((wire: Uint8Array) => Promise<void>) | null;
  disconnect: () => Promise<void>;
};

/** The name of our network in the wallet standard. */
export function chainOf(network: 'local' | 'devnet' | 'mainnet'): string {
  return `solana:${network === 'local' ? 'localnet' : network}`;
}

/** The text that proves a wallet for the receipt of a transaction, or for a statement (its id). */
export function proofText(serviceName: string, subject: string): string {
  return `${serviceName}:${subject}`;
}

/** Thrown when the wallet switched to another account. Nothing was signed. */
export class AnotherAccount extends Error {
  constructor() {
    super('The wallet is on another account now. Nothing was signed.');
    this.name = 'AnotherAccount';
  }
}

/** Whether a wallet's error means that its owner said no. */
export function isRejection(error: unknown): boolean {
  const words = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  return /reject|denied|declin|cancel|closed/i.test(words);
}
