import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js';
import { sendAndConfirm, TOKENS } from '@/devnet/client/pay-token';
import type { Wallet } from '@/devnet/client/wallet';
import type { TestService } from './start-service';

type Part = { token: keyof typeof TOKENS; to: Wallet; amount: bigint };

/** Several transfers of one payer in one transaction. */
export async function payParts(
  { rpcUrl }: Pick<TestService, 'rpcUrl'>,
  from: Wallet,
  parts: readonly Part[],
): Promise<string> {
  const me = from.keypair.publicKey;
  const instructions = parts.flatMap(({ token, to, amount }): TransactionInstruction[] => {
    const { program } = TOKENS[token];
    const [key, owner] = [new PublicKey(TOKENS[token].mint), new PublicKey(to.address)];
    const account = (of: PublicKey) => getAssociatedTokenAddressSync(key, of, true, program);
    return [
      createAssociatedTokenAccountIdempotentInstruction(me, account(owner), owner, key, program),
      createTransferCheckedInstruction(
        account(me),
        key,
        account(owner),
        me,
        amount,
        6,
        [],
        program,
      ),
    ];
  });
  return sendAndConfirm(rpcUrl, new Transaction().add(...instructions), [from.keypair]);
}
