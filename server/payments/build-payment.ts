import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash as asBlockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Instruction,
} from '@solana/kit';
import { MEMO_PROGRAMS, TOKEN } from '@quittance/verify/chain/programs';
import { USDC_DECIMALS } from '@quittance/verify/money';

/** Instruction number of TransferChecked (SPL Token, instruction.rs). */
const TRANSFER_CHECKED = 12;

/**
 * The unsigned transaction that pays a quote from a wallet, base64: a USDC transfer and the quote's id as
 * memo, the wallet paying the network fee. The legacy form, which every wallet can show and sign.
 */
export function buildPayment(o: {
  payer: string;
  from: string;
  to: string;
  mint: string;
  amountMicros: bigint;
  memo: string;
  recent: { blockhash: string; lastValidBlockHeight: bigint };
}): string {
  const payer = address(o.payer);
  const amount = Buffer.alloc(10);
  amount.writeUInt8(TRANSFER_CHECKED, 0);
  amount.writeBigUInt64LE(o.amountMicros, 1);
  amount.writeUInt8(USDC_DECIMALS, 9);
  const transfer: Instruction = {
    programAddress: address(TOKEN),
    accounts: [
      { address: address(o.from), role: AccountRole.WRITABLE },
      { address: address(o.mint), role: AccountRole.READONLY },
      { address: address(o.to), role: AccountRole.WRITABLE },
      { address: payer, role: AccountRole.READONLY_SIGNER },
    ],
    data: new Uint8Array(amount),
  };
  const memo: Instruction = {
    programAddress: address(MEMO_PROGRAMS.v3),
    data: new Uint8Array(Buffer.from(o.memo, 'utf8')),
  };
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (tx) => setTransactionMessageFeePayer(payer, tx),
    (tx) =>
      setTransactionMessageLifetimeUsingBlockhash(
        {
          blockhash: asBlockhash(o.recent.blockhash),
          lastValidBlockHeight: o.recent.lastValidBlockHeight,
        },
        tx,
      ),
    (tx) => appendTransactionMessageInstructions([transfer, memo], tx),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}
