/** Stands for the name of a wallet app on this phone, which is unknown. Texts have their own words for it. */
export const WALLET_APP = 'app';

/** A connected wallet in the form that the flows of this site use: bytes in, bytes out. */
export type Signer = {
  /** The wallet's own name, or {@link WALLET_APP}. */
  name: string;
  address: string;
  /** The networks it names, such as `solana:mainnet`. Null when it names none. */
  chains: readonly string[] | null;
  /** Null if the wallet cannot sign texts. */
  signMessage: ((text: Uint8Array) => Promise<Uint8Array>) | null;
  /** The wallet's own Sign-In With Solana. Null if it has none. */
  signIn: ((input: object) => Promise<{ signedMessage: Uint8Array; signature: Uint8Array }>) | null;
  /** Returns the signed transaction. Null if the wallet cannot. */
  signTransaction: ((wire: Uint8Array) => Promise<Uint8Array>) | null;
  /** Signs and sends. Null if the wallet cannot. */
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

/** Errors of the connection to a wallet app. They do not tell whether its owner rejected the request. */
const NO_ANSWER = /access permission|session dropped/i;

/** Whether a wallet's error means that its owner rejected the request. */
export function isRejection(error: unknown): boolean {
  const words = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  return !NO_ANSWER.test(words) && /reject|denied|declin|cancel|closed/i.test(words);
}
