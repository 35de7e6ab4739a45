import { sign } from 'node:crypto';
import bs58 from 'bs58';
import type { BrowserContext, Page } from '@playwright/test';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import type { Wallet } from '@/devnet/client/wallet';
import { offChainForms } from '@/server/wallets/wallet-signature';
import { sendWire, signWire } from './sign-wire';

/** The wallet's behaviour, which may be changed during the life of a page. */
export type Behaviour = {
  rejects: 'nothing' | 'message' | 'transaction' | 'connection' | 'sign-in';
  /** Leaves this request open until it is changed, then answers. */
  ignores: Behaviour['rejects'];
  /** Has its own sign-in, and writes the message itself. */
  signsIn: boolean;
  /** Signs texts in the envelope that hardware wallets put around them. */
  isHardware: boolean;
  /** Signs and sends itself, and returns no signed transaction. */
  sendsItself: boolean;
  /** The networks that it names. */
  chains: string[];
  /** Names no account to a page that connects silently. */
  isLocked: boolean;
};

export type TestWallet = {
  wallet: Wallet;
  behaviour: Behaviour;
  asked: string[];
  /** A line for each connection that it accepted. */
  answered: string[];
  /** A line for each silent attempt of a page to connect. */
  silent: string[];
  /** Switches to another account, like in the window of a wallet, and reports it to the page. */
  switchTo: (page: Page, next: Wallet) => Promise<void>;
};

/** How long its owner takes to approve or reject. */
const APPROVAL_MS = 100;

/**
 * Puts a Wallet Standard wallet into every page of a context. It really signs, in this process, so
 * that no key is in the page. `asked` lists the requests to its owner.
 */
export async function installWallet(
  context: BrowserContext,
  o: {
    wallet: Wallet;
    rpcUrl: string;
    behaviour?: Partial<Behaviour>;
    /** The browser has no wallet at all. */
    isHidden?: boolean;
  },
): Promise<TestWallet> {
  const { wallet } = o;
  const behaviour: Behaviour = {
    rejects: 'nothing',
    ignores: 'nothing',
    sendsItself: false,
    chains: ['solana:localnet'],
    signsIn: false,
    isHardware: false,
    isLocked: false,
    ...o.behaviour,
  };
  const [asked, answered, silent]: [string[], string[], string[]] = [[], [], []];
  let active = wallet;
  /** A wallet connects without a question, once its owner has connected it to the site. */
  let isTrusted = false;
  const key = () => ed25519PrivateKey(active.keypair.secretKey);
  const account = () => ({ address: active.address, publicKey: [...bs58.decode(active.address)] });
  const refuse = async (what: Behaviour['rejects']) => {
    asked.push(what);
    // People need a moment, in which the page shows and announces the request.
    do await new Promise((resolve) => setTimeout(resolve, APPROVAL_MS));
    while (behaviour.ignores === what);
    if (behaviour.rejects === what) throw new Error('User rejected the request.');
  };
  await context.exposeFunction('__walletConnect', async (isSilent: boolean) => {
    if (isSilent) silent.push('connection');
    if (isSilent) return isTrusted && !behaviour.isLocked ? account() : null;
    await refuse('connection');
    isTrusted = true;
    answered.push('connection');
    return account();
  });
  await context.exposeFunction('__walletSignMessage', async (bytes: number[]) => {
    await refuse('message');
    const text = Buffer.from(bytes);
    const [envelope] = offChainForms(text.toString(), bs58.decode(active.address));
    return [...sign(null, behaviour.isHardware && envelope ? envelope : text, key())];
  });
  await context.exposeFunction('__walletSignIn', async (input: Record<string, string>) => {
    await refuse('sign-in');
    const message = Buffer.from(signInText(input, active.address));
    return { message: [...message], signature: [...sign(null, message, key())] };
  });
  await context.exposeFunction('__walletSignTransaction', async (base64: string) => {
    await refuse('transaction');
    return signWire(base64, active);
  });
  await context.exposeFunction('__walletSend', async (base64: string) => {
    await refuse('transaction');
    return bs58.encode(await sendWire(o.rpcUrl, base64, active));
  });
  const inPage: InPage = {
    sendsItself: behaviour.sendsItself,
    signsIn: behaviour.signsIn,
    chains: behaviour.chains,
  };
  // The compiler of this file names functions through a helper that a page does not have.
  const content = `{const __name = (f) => f; (${walletInPage.toString()})(${JSON.stringify(inPage)})}`;
  if (o.isHidden !== true) await context.addInitScript({ content });
  const switchTo = async (page: Page, next: Wallet) => {
    active = next;
    await page.evaluate((to) => {
      const outside = window as unknown as { __walletSwitch(to: object): void };
      outside.__walletSwitch(to);
    }, account());
  };
  return { wallet, behaviour, asked, answered, silent, switchTo };
}

/** The message of a sign-in in the form of a wallet (phantom/sign-in-with-solana, ABNF). */
function signInText(input: Record<string, string>, address: string): string {
  const { domain, statement, uri, version, chainId, nonce, issuedAt, expirationTime } = input;
  return [
    ...[`${domain} wants you to sign in with your Solana account:`, address, '', statement, ''],
    ...[`URI: ${uri}`, `Version: ${version}`, `Chain ID: ${chainId}`, `Nonce: ${nonce}`],
    ...[`Issued At: ${issuedAt}`, `Expiration Time: ${expirationTime}`],
  ].join('\n');
}

type InPage = { sendsItself: boolean; signsIn: boolean; chains: string[] };
type Named = { address: string; publicKey: number[] };

/** Runs in the page: announces the wallet after the Wallet Standard. */
function walletInPage(o: InPage): void {
  const outside = window as unknown as {
    __walletConnect(isSilent: boolean): Promise<Named | null>;
    __walletSwitch(to: Named): void;
    __walletSignMessage(bytes: number[]): Promise<number[]>;
    __walletSignIn(input: object): Promise<{ message: number[]; signature: number[] }>;
    __walletSignTransaction(base64: string): Promise<string>;
    __walletSend(base64: string): Promise<string>;
  };
  const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
  const fromBase64 = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  let accounts: object[] = [];
  const listeners: ((change: object) => void)[] = [];
  const show = (named: Named | null) => {
    accounts = named
      ? [
          {
            address: named.address,
            publicKey: Uint8Array.from(named.publicKey),
            chains: o.chains,
            features: [
              'solana:signMessage',
              'solana:signTransaction',
              'solana:signAndSendTransaction',
            ],
          },
        ]
      : [];
    listeners.forEach((listener) => listener({ accounts }));
  };
  outside.__walletSwitch = show;
  const versions = { version: '1.0.0', supportedTransactionVersions: ['legacy', 0] };
  const signTransaction = {
    ...versions,
    signTransaction: async (input: { transaction: Uint8Array }) => [
      {
        signedTransaction: fromBase64(
          await outside.__walletSignTransaction(toBase64(input.transaction)),
        ),
      },
    ],
  };
  const signAndSend = {
    ...versions,
    signAndSendTransaction: async (input: { transaction: Uint8Array }) => {
      await outside.__walletSend(toBase64(input.transaction));
      return [{ signature: new Uint8Array(64) }];
    },
  };
  const wallet = {
    version: '1.0.0',
    name: 'Test Wallet',
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxIiBoZWlnaHQ9IjEiLz4=',
    chains: o.chains,
    get accounts() {
      return accounts;
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async (input?: { silent?: boolean }) => {
          show(await outside.__walletConnect(input?.silent === true));
          return { accounts };
        },
      },
      'standard:disconnect': {
        version: '1.0.0',
        disconnect: async () => {
          accounts = [];
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: (change: object) => void) => {
          listeners.push(listener);
          return () => listeners.splice(listeners.indexOf(listener), 1);
        },
      },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async (input: { message: Uint8Array }) => [
          {
            signedMessage: input.message,
            signature: Uint8Array.from(await outside.__walletSignMessage([...input.message])),
          },
        ],
      },
      ...(o.signsIn
        ? {
            'solana:signIn': {
              version: '1.0.0',
              signIn: async (input: object) => {
                const { message, signature } = await outside.__walletSignIn(input);
                const signedMessage = Uint8Array.from(message);
                return [
                  { account: accounts[0], signedMessage, signature: Uint8Array.from(signature) },
                ];
              },
            },
          }
        : {}),
      ...(o.sendsItself
        ? { 'solana:signAndSendTransaction': signAndSend }
        : { 'solana:signTransaction': signTransaction }),
    },
  };
  const register = (api: { register(wallet: object): void }) => api.register(wallet);
  window.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent<{ register(wallet: object): void }>).detail),
  );
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
}
