import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import { rawTransactionSchema } from '@quittance/verify/chain/raw-transaction';
import { fractionOf, ONE } from '@quittance/verify/money';
import type { TokenPrice } from '@/server/rates/find-rate';
import { valueAt } from '@/server/receipts/value-transfer';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { line, median, type Line } from './stats';

/** Recorded mainnet transactions. */
const CORPUS = 'tests/corpus/tx';
const LIMIT_MS = 1;
const ROUNDS = 21;
const PRICE: TokenPrice = {
  usdPerUnit: fractionOf('122.53') ?? ONE,
  basis: 'market',
  source: 'a price at hand',
  isProvisional: false,
};

/** The time from a node's answer to a valued transfer, without network or database. */
export function measureReading(): Line[] {
  const answers = readdirSync(CORPUS).map((name) => readFileSync(join(CORPUS, name), 'utf8'));
  for (let round = 0; round < ROUNDS; round += 1) answers.forEach(read);
  const eachMs = answers.map((answer) => {
    const tries = Array.from({ length: ROUNDS }, () => {
      const begun = performance.now();
      read(answer);
      return performance.now() - begun;
    });
    return median(tries);
  });
  const middle = median(eachMs);
  const slowest = Math.max(...eachMs);
  return [
    line(
      `reading and valuing a transaction, median of ${answers.length}`,
      `${middle.toFixed(3)} ms`,
      'under 1 ms',
      middle < LIMIT_MS,
    ),
    line('  the slowest of them', `${slowest.toFixed(3)} ms`),
  ];
}

function read(answer: string): void {
  const reading = interpretTransaction(rawTransactionSchema.parse(JSON.parse(answer)), {
    network: 'mainnet',
  });
  if (!reading.ok) return;
  const { transfer } = reading;
  const token = tokenByMint(transfer.mint, 'mainnet');
  if (token?.valuation) valueAt({ transfer, token, price: PRICE });
}
