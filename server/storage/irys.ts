import type { ConstructableWebToken } from '@irys/web-upload/builder';
import type SolanaToken from '@irys/web-upload-solana/token';
import { verifyItem } from '@quittance/verify/storage/verify-item';
import type { Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { z } from 'zod';
import type { StorageSigner } from '@/server/keys';
import { requestStorage, type StorageAnswer, StorageUnavailable } from './request-storage';

/**
 * Signs a data item, and returns its id (base58) and bytes. `anchor` has 32 bytes: without one the library draws a random
 * one, and a retry would make another item. Sends nothing. Throws Error if the signer's answer is not its signature.
 */
export async function signDataItem(o: {
  signer: StorageSigner;
  data: Uint8Array;
  tags: readonly { name: string; value: string }[];
  anchor: string;
}): Promise<{ id: string; raw: Uint8Array }> {
  const irys = await openLibrary({ signer: o.signer, ask: sendNothing });
  const item = irys.createTransaction(Buffer.from(o.data), { tags: [...o.tags], anchor: o.anchor });
  await item.sign();
  const raw = item.getRaw();
  // The id goes into an NFT. No node accepts an item with a wrong signature.
  if (!verifyItem(raw)) throw new Error('the storage key did not sign the item');
  return { id: item.id, raw };
}

/** A storage node and the limits of every call to it. */
type NodeAddress = { uploadUrl: string; timeoutMs: number; mostBytes: number };

/**
 * Uploads the bytes of a signed item with one POST and gives the node's answer, whatever its status: the library
 * throws on 201 ("already received"). `isReceipt`: the answer is a receipt with a right signature by the key that it
 * names.
 */
export async function postDataItem(o: {
  raw: Uint8Array;
  node: NodeAddress;
}): Promise<{ answer: StorageAnswer; isReceipt: boolean }> {
  let isReceipt = false;
  const answer = await askNode(o.node, async (irys) => {
    const item = irys.transaction.fromRaw(Buffer.from(o.raw));
    const { data } = await irys.uploader.uploadTransaction(item);
    isReceipt = await data.verify();
  });
  return { answer, isReceipt };
}

/** Reports a transfer of SOL to the storage node, once, and gives the node's answer, whatever its status. */
export async function reportTransfer(o: {
  node: NodeAddress;
  signature: string;
}): Promise<StorageAnswer> {
  return askNode(o.node, async (irys) => {
    await irys.funder.submitFundTransaction(o.signature);
  });
}

/**
 * Sends SOL to the address that the storage node names, and reports the transfer to it once. `send` gets the signed
 * transaction, checks whom and how much it pays, and returns when it is final. `isCredited`: the node answered 200. If
 * not, the money has arrived all the same, and {@link reportTransfer} repeats the report. Throws Error and
 * {@link StorageUnavailable} before `send` is done, and what `send` throws.
 */
export async function fundAccount(o: {
  signer: StorageSigner;
  node: NodeAddress;
  lamports: bigint;
  latestBlockhash: Blockhash;
  send: (transaction: Transaction, signature: string) => Promise<void>;
}): Promise<{ isCredited: boolean }> {
  const { signer, latestBlockhash } = o;
  let isFinal = false;
  const sendTransaction = async (transaction: Transaction): Promise<string> => {
    const { feePayer } = transaction;
    if (!feePayer) throw new Error('the library built a transfer without a fee payer');
    const signed = await signer.signMessage(transaction.serializeMessage());
    transaction.addSignature(feePayer, Buffer.from(signed));
    const signature = bs58.encode(signed);
    await o.send(transaction, signature);
    isFinal = true;
    return signature;
  };
  let isCredited = false;
  const { ask, repeated } = askOnce(o.node);
  const irys = await openLibrary({
    signer,
    ask: async (request) => {
      const answer = await ask(request);
      if (isFinal) isCredited = answer.ok && answer.status === 200;
      return answer;
    },
    funds: { sendTransaction, latestBlockhash },
  });
  await Promise.race([irys.fund(o.lamports.toString()), repeated]).catch((error: unknown) => {
    if (!isFinal) throw error;
  });
  return { isCredited };
}

type Funds = {
  sendTransaction: (transaction: Transaction) => Promise<string>;
  latestBlockhash: Blockhash;
};
type Blockhash = { blockhash: string; lastValidBlockHeight: bigint };
type Irys = Awaited<ReturnType<typeof openLibrary>>;
type Ask = (request: Pick<Request, 'method' | 'url'> & { data: unknown }) => Promise<StorageAnswer>;

/** For calls that sign nothing. The library still needs an address, and does not send it. */
const NOBODY: StorageSigner = {
  publicKey: '1'.repeat(32),
  signMessage: () => Promise.reject(new Error('nothing is signed here')),
};

/** Runs one call of the library and gives the node's answer, whatever the library made of it. */
async function askNode(
  node: NodeAddress,
  call: (irys: Irys) => Promise<void>,
): Promise<StorageAnswer> {
  const { ask, repeated } = askOnce(node);
  let answer: StorageAnswer | null = null;
  const irys = await openLibrary({
    signer: NOBODY,
    ask: async (request) => (answer = await ask(request)),
  });
  const failure: unknown = await Promise.race([call(irys), repeated]).catch((error) => error);
  if (answer === null) throw failure ?? new Error('the library asked nothing');
  return answer;
}

/**
 * Sends the library's requests to one node, with our limits and under the path of its URL, which the library drops.
 * The library repeats a report that failed, up to five times. Here each request goes out once: `repeated` rejects
 * when the library asks for the same again, and callers wait and retry.
 */
function askOnce({ uploadUrl, timeoutMs, mostBytes }: NodeAddress) {
  const asked = new Set<string>();
  let giveUp = (): void => undefined;
  const repeated = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error('the storage node did not take the report'));
  });
  const ask: Ask = ({ method, url, data }) => {
    const { pathname, search } = new URL(url);
    const request = `${method} ${pathname}${search}`;
    if (asked.has(request)) {
      giveUp();
      return new Promise(() => undefined);
    }
    asked.add(request);
    const isBinary = data instanceof Uint8Array;
    return requestStorage({
      url: `${uploadUrl}${pathname}${search}`,
      timeoutMs,
      mostBytes,
      ...(method === 'POST' && {
        method: 'POST',
        body: isBinary ? data : Buffer.from(String(data)),
        contentType: isBinary ? 'application/octet-stream' : 'application/json',
      }),
    });
  };
  return { ask, repeated };
}

const NOWHERE = 'http://nowhere.invalid';
const sendNothing: Ask = () => Promise.reject(new Error('signing an item sends nothing'));

/**
 * Loads the library, which takes a second or more the first time. A caller that signs after other
 * work starts the load in parallel. Safe to repeat: a process loads it once.
 */
export async function loadLibrary() {
  const [{ WebUploader }, { default: Token }] = await Promise.all([
    import('@irys/web-upload'),
    // Not the entry of the package, which also loads the token programs.
    import('@irys/web-upload-solana/token'),
  ]);
  return { WebUploader, Token };
}

/**
 * The library on our own transport, loaded at its first use. `ask` gets all that it sends to a storage node. It reaches
 * no Solana node: of one it needs only `latestBlockhash`. The two URLs lead nowhere.
 */
async function openLibrary(o: { signer: StorageSigner; ask: Ask; funds?: Funds }) {
  const { WebUploader, Token } = await loadLibrary();
  class Solana extends Token {
    // The fee is not read, because the library averages a list that may be empty. It does not wait either: `send` does.
    override needsFee = false;
    override isSlow = true;
    constructor({ irys, wallet }: TokenInput) {
      if (!isWallet(wallet)) throw new TypeError('the library passed on another wallet');
      super({ irys, wallet, name: 'solana', ticker: 'SOL', providerUrl: NOWHERE });
    }
    protected override async getProvider() {
      const { Connection } = await import('@solana/web3.js');
      return new Connection(NOWHERE, { fetch: answerBlockhash(o.funds?.latestBlockhash) });
    }
  }
  const { signer } = o;
  const owner = Buffer.from(bs58.decode(signer.publicKey));
  const publicKey = { toBuffer: () => owner };
  const signMessage = (message: Uint8Array) => signer.signMessage(message);
  const irys = await WebUploader(Solana)
    .withProvider({ publicKey, signMessage, sendTransaction: o.funds?.sendTransaction })
    .bundlerUrl(NOWHERE);
  irys.api.instance.defaults.adapter = async (config) => {
    const { url = '/', data } = config;
    const method = (config.method ?? 'get').toUpperCase();
    const answer = await o.ask({ method, url, data });
    if (!answer.ok) throw new StorageUnavailable(answer.message);
    // The library would put the body into its error.
    if (method === 'GET' && answer.status !== 200)
      throw new StorageUnavailable(`${answer.host} answered ${answer.status}`);
    const text = Buffer.from(answer.body).toString('utf8');
    return { data: text, status: answer.status, statusText: '', headers: {}, config };
  };
  return irys;
}

type TokenInput = ConstructorParameters<ConstructableWebToken>[0];
type Wallet = NonNullable<ConstructorParameters<typeof SolanaToken>[0]['wallet']>;

/** The library types its wallet as a whole browser wallet, and uses these two members. */
function isWallet(wallet: unknown): wallet is Wallet {
  return typeof wallet === 'object' && wallet !== null && 'signMessage' in wallet;
}

/** Answers the one question that the library may ask a Solana node, and sends nothing. */
function answerBlockhash(latestBlockhash?: Blockhash) {
  return async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
    const { id, method } = rpcQuestion.parse(JSON.parse(String(init?.body)));
    if (method !== 'getLatestBlockhash' || !latestBlockhash)
      throw new Error(`the storage library may not ask a Solana node for ${method}`);
    const { blockhash, lastValidBlockHeight } = latestBlockhash;
    const value = { blockhash, lastValidBlockHeight: Number(lastValidBlockHeight) };
    return Response.json({ jsonrpc: '2.0', id, result: { context: { slot: 0 }, value } });
  };
}

const rpcQuestion = z.object({ id: z.string(), method: z.string() });
