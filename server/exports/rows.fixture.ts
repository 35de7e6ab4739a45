import type { TransferRow } from '@quittance/verify/receipts/transfer-row';

const WALLET = 'PayerWa11et1111111111111111111111111111111111';
const OTHER = 'Se11erWa11et111111111111111111111111111111111';

const base: TransferRow = {
  receiptId: 'ABCDEFGH0001',
  txSignature:
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
  blockTime: new Date('2025-12-24T23:59:59.000Z'),
  direction: 'sent',
  counterparty: OTHER,
  token: 'USDC',
  mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  dtifCode: '5R3XFPZSM',
  decimals: 6,
  amountRaw: 12_345_678n,
  amountSentRaw: 12_345_678n,
  feeWithheldRaw: 0n,
  usdMicros: 12_345_678n,
  valuation: 'par',
  local: euros(1_047n),
  serviceType: 'API access',
  transactionType: 'sale',
  invoiceId: 'INV-1',
  metadataUri: 'https://gateway.irys.xyz/abc',
  payer: WALLET,
  seller: OTHER,
  slot: 388_000_001n,
  mintStatus: 'completed',
  assetId: 'Asset111111111111111111111111111111111111111',
};

function euros(minor: bigint, sentMinor = minor): TransferRow['local'] {
  const [rate, rateSource] = ['0.848392296597', 'ECB reference rate'];
  return {
    currency: 'EUR',
    minorUnits: 2,
    value: { minor, sentMinor, rate, rateDate: '2025-12-24', rateSource, provisional: false },
  };
}

const incoming: Pick<TransferRow, 'direction' | 'counterparty' | 'payer' | 'seller'> = {
  direction: 'received',
  counterparty: OTHER,
  payer: OTHER,
  seller: WALLET,
};

/** One row for each thing that a file can get wrong; seen from one wallet. */
export const ROWS: readonly TransferRow[] = [
  base,
  {
    ...base,
    receiptId: 'ABCDEFGH0002',
    blockTime: new Date('2025-12-25T00:00:00.000Z'),
    serviceType: '=HYPERLINK("x")',
    transactionType: '+1, or -1',
    invoiceId: '-3,50 "net"',
    local: { currency: 'EUR', minorUnits: 2, value: { error: 'the source did not answer' } },
  },
  {
    ...base,
    ...incoming,
    receiptId: 'ABCDEFGH0003',
    serviceType: '＝1＋1',
    transactionType: null,
    invoiceId: "'quoted",
    amountRaw: 1n,
    amountSentRaw: 1n,
    usdMicros: 1n,
    local: euros(0n),
    mintStatus: 'pending',
    assetId: null,
  },
  {
    ...base,
    receiptId: 'ABCDEFGH0004',
    serviceType: 'Lizenz für Ünïcode 日本 🧾; "Zeile"',
    transactionType: '@sum',
    invoiceId: null,
    token: 'PYUSD',
    mint: '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo',
    dtifCode: '6202TBRW7',
    amountRaw: 3_686_400_000_000n,
    amountSentRaw: 3_840_000_000_000n,
    feeWithheldRaw: 153_600_000_000n,
    usdMicros: 3_686_400_000_000n,
    local: euros(312_751_333n, 325_782_639n),
  },
  {
    ...base,
    ...incoming,
    receiptId: 'ABCDEFGH0005',
    token: 'SOL',
    mint: null,
    dtifCode: '20J63Z4N3',
    decimals: 9,
    amountRaw: 9_007_199_254_740_993n,
    amountSentRaw: 9_007_199_254_740_993n,
    usdMicros: 1_100_000_000_000_000n,
    valuation: 'market',
    local: {
      currency: 'JPY',
      minorUnits: 0,
      value: {
        minor: 171_555_951_472_000_000n,
        sentMinor: 171_555_951_472_000_000n,
        rate: '155.959955884',
        rateDate: '2025-12-24',
        rateSource: '=evil source',
        provisional: true,
      },
    },
  },
];
