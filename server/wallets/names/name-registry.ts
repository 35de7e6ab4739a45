import type { AccountInfo, Connection, PublicKey } from '@solana/web3.js';
import { TOKEN } from '@quittance/verify/chain/programs';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import type { Account } from '@/server/chain/rpc';
import { trusted } from '@/server/trusted';
import { findHolding, present, standsFor, type NameAnswer, type NameNode } from './name-answer';

/** An account that the programs of the registry did not write, or with content that none of them writes. */
class Malformed extends Error {}

/**
 * The wallet of a name in the registry of Solana Name Service, by the rules of its proposal SNS-IP
 * 5:
 * 1. the holder of the NFT of a tokenised name
 * 2. its SOL record (V2 with current staleness and right of association, then V1 with a valid
 * signature)
 * 3. its owner
 *
 * The rules are those of the registry's own library. The accounts come from the given node, at
 * `finalized`, and each must belong to the program that writes it. The library still calls the
 * registry `.sol`. Throws RpcUnavailable and RpcRefused.
 */
export async function readNameRegistry(node: NameNode, label: string): Promise<NameAnswer> {
  // Loaded at the first name, because the library is large and few processes need it.
  const [sns, web3] = await Promise.all([
    import('@bonfida/spl-name-service'),
    import('@solana/web3.js'),
  ]);
  const { pubkey: registry } = sns.getDomainKeySync(label);
  const [tokenised] = sns.NftRecord.findKeySync(registry, sns.NAME_TOKENIZER_ID);
  const mint = sns.getDomainMint(registry);
  let holding: { account: string; info: Account } | null = null;

  const infoOf = ({ data, lamports, owner }: Account): AccountInfo<Buffer> => ({
    data: Buffer.from(data),
    lamports: Number(lamports),
    owner: new web3.PublicKey(owner),
    executable: false,
  });
  const reader = {
    getMultipleAccountsInfo: async (keys: PublicKey[]) => {
      const { accounts } = await node.getAccounts(keys.map((key) => key.toBase58()));
      return keys.map((key, at) => {
        const account = present(accounts[at]);
        if (!account) return null;
        const writer = key.equals(tokenised) ? sns.NAME_TOKENIZER_ID : sns.NAME_PROGRAM_ID;
        if (account.owner !== writer.toBase58()) throw new Malformed(key.toBase58());
        return infoOf(account);
      });
    },
    getTokenLargestAccounts: async (asked: PublicKey) => {
      if (!asked.equals(mint)) throw new Malformed(asked.toBase58());
      holding = await findHolding(node, { mint: mint.toBase58(), program: TOKEN });
      return { value: holding ? [{ address: new web3.PublicKey(holding.account) }] : [] };
    },
    getAccountInfo: async (asked: PublicKey) => {
      if (holding?.account !== asked.toBase58()) throw new Malformed(asked.toBase58());
      return infoOf(holding.info);
    },
  };
  try {
    const wallet = await sns.resolve(
      trusted<Connection>(reader, 'resolve calls these three methods alone, with keys alone'),
      label,
    );
    return standsFor(wallet.toBase58());
  } catch (error) {
    if (isNodeSilence(error)) throw error;
    if (error instanceof sns.DomainDoesNotExist) return { state: 'unknown' };
    // A record whose right of association fails, an owner that is a program, bytes of another form: never guessed at.
    const why = error instanceof sns.PdaOwnerNotAllowed ? 'no_wallet' : 'malformed';
    return { state: 'unsure', why };
  }
}
