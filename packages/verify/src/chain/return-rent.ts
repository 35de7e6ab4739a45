import type { LeftOut } from './movements';
import type { NormalTransaction } from './normalise-transaction';
import { isExactRent, rentLamports, SOL_DECIMALS } from './programs';
import type { Owners } from './trace-owners';

type Sum = { account: string; lamports: bigint };

/**
 * Rent that comes back from program accounts which were emptied without an instruction that shows where to.
 * Of an account that the transaction opened it is the rent of its size. Of any other the size is not in the
 * transaction, so that it is rent only if the account held exactly what some size needs: everything else was
 * paid out. Each goes to the account that gained exactly as much, else to those that gained most.
 * `unexplained`: what each account gained (or lost, below zero) beyond what instructions show.
 */
export function returnRent(o: {
  tx: NormalTransaction;
  owners: Owners;
  unexplained: ReadonlyMap<string, bigint>;
  bytesOf: (account: string) => bigint | undefined;
}): LeftOut[] {
  const { tx, owners, unexplained, bytesOf } = o;
  const closed = [...unexplained].flatMap(([account, change]): Sum[] => {
    if (change >= 0n || !isClosed(tx, owners, account)) return [];
    const lamports = rentWithin(-change, bytesOf(account));
    return lamports > 0n ? [{ account, lamports }] : [];
  });
  const gained = [...unexplained]
    .filter(([, lamports]) => lamports > 0n)
    .map(([account, lamports]): Sum => ({ account, lamports }))
    .sort((a, b) => (a.lamports > b.lamports ? -1 : 1));
  const returned: LeftOut[] = [];
  for (const one of closed) {
    const exact = gained.find(({ lamports }) => lamports === one.lamports);
    for (const receiver of exact ? [exact] : gained) {
      const amount = one.lamports < receiver.lamports ? one.lamports : receiver.lamports;
      if (amount === 0n) continue;
      one.lamports -= amount;
      receiver.lamports -= amount;
      returned.push({
        reason: 'rent_returned',
        from: owners.before(one.account),
        to: owners.after(receiver.account),
        account: one.account,
        mint: null,
        decimals: SOL_DECIMALS,
        amount,
      });
    }
  }
  return returned;
}

function rentWithin(lamports: bigint, bytes: bigint | undefined): bigint {
  if (bytes === undefined) return isExactRent(lamports) ? lamports : 0n;
  const rent = rentLamports(bytes);
  return rent < lamports ? rent : lamports;
}

/** Only a program can empty an account without an instruction; a signer is a wallet that spends its own. */
function isClosed(tx: NormalTransaction, owners: Owners, account: string): boolean {
  return (
    tx.lamports.get(account)?.after === 0n &&
    !owners.isTokenAccount(account) &&
    !tx.signers.has(account)
  );
}
