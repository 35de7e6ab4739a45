/** A sentence of a document that promises something about money, and the tests that try to break it. */
export type MoneyClaim = {
  /** As it stands in docs/payments.md, between two points where it may be wrapped. */
  claim: string;
  /** Test file, and what its title holds. */
  attacks: readonly (readonly [file: string, title: string])[];
};

const FACILITATOR = 'server/payments/facilitator';
const JUDGE = 'server/payments/judge-payment.test.ts';

/** What docs/payments.md says under "Promises", sentence by sentence. */
export const MONEY_CLAIMS: readonly MoneyClaim[] = [
  {
    claim: 'buy receipts without changes (`tests/x402-clients.spec.ts`).',
    attacks: [['tests/x402-clients.spec.ts', 'buys the receipt of a transfer of 25 USDC']],
  },
  {
    claim:
      'Their spend caps may be below our largest price, which `GET /pricing` names. The 402 says how to raise them.',
    attacks: [['tests/payments-offer.test.ts', 'how to raise spend caps']],
  },
  {
    claim:
      'A payment counts for the offer that its memo names. Any of the three SPL Memo programs works.',
    attacks: [
      [JUDGE, 'of another request, or of two, buys nothing'],
      ['tests/memo-agents.spec.ts', 'sends USDC with the memo of the offer'],
      ['tests/payments-races.spec.ts', 'wins a watcher nothing'],
    ],
  },
  {
    claim:
      'Without a memo, the payment must be exactly the price, and the request must carry the wallet headers of the wallet that paid. A signature is public, so anybody could present it.',
    attacks: [
      [JUDGE, 'instead of 100000 is'],
      ['tests/payments-documented.spec.ts', 'and for nobody else'],
      ['tests/strangers-quotes.spec.ts', 'buys what its wallet asked for and nothing else'],
    ],
  },
  {
    claim:
      '`/statement` accepts it without the headers while the wallet has no other open request at that price.',
    attacks: [
      ['server/payments/quotes.test.ts', 'is found behind any number of quotes'],
      ['tests/bare-payments.spec.ts', 'is not spent by a stranger who asks for a statement'],
    ],
  },
  {
    claim:
      'The offer must be older than the block of the payment. Slots decide this: an offer records the newest slot that a node knows when it opens.',
    attacks: [
      [JUDGE, 'is told by slots, not by times'],
      ['server/payments/open-quote.test.ts', 'notes the highest slot that any node knows'],
    ],
  },
  {
    claim:
      'A request with an empty body (`{}` or none) and without a payment is answered 402 with the price range. A payment with an empty body is answered 400 and is never settled.',
    attacks: [
      ['tests/x402-clients.spec.ts', 'is told the range of prices for %s, and gets no quote'],
      ['tests/x402-clients.spec.ts', 'is refused with a payment and the body %j'],
    ],
  },
  {
    claim: 'A slot far above the slot of a node with current blocks is not trusted.',
    attacks: [
      ['server/chain/believed-slots.test.ts', 'makes no honest node stale'],
      ['server/chain/every-node.test.ts', 'one of three nodes that is far above the others'],
    ],
  },
  {
    claim:
      'The offer records no slot where two nodes contradict each other, or where only one of several answers within a second. A payment without a memo then needs the wallet headers of its payer.',
    attacks: [
      ['server/chain/believed-slots.test.ts', 'the only one that answers of two says a low one'],
      ['server/chain/believed-slots.test.ts', 'one of two invents a chain above'],
      ['server/payments/quotes.test.ts', 'without a slot, within two minutes'],
    ],
  },
  {
    claim:
      'A payment counts once two nodes (or the only one) show it in the same block. Until then the service answers 503: repeat the request with the same payment.',
    attacks: [
      [
        'server/use-cases/payments/take-documented.test.ts',
        'that one node alone shows buys nothing before a second one does',
      ],
      ['server/nft/judge-attempt.test.ts', 'is paid once a second node shows it in the same block'],
    ],
  },
  {
    claim:
      'Within about a minute after fewer than two of several nodes answer, the 402 says that a payment is taken later. It then offers no payment of x402 v1 and v2.',
    attacks: [
      ['server/payments/check-accounts.test.ts', 'while one alone of several nodes answers'],
      ['server/payments/describe-challenge.test.ts', 'taken later while one node alone answers'],
    ],
  },
  {
    claim:
      'A page asks a wallet to pay only after two nodes (or the only one) show that nothing was paid for the same thing before. Otherwise the service answers 503.',
    attacks: [
      ['server/use-cases/payments/pay-once.parts.test.ts', 'by no means on the word of one node'],
      [
        'server/use-cases/payments/pay-once.parts.test.ts',
        'once the nodes show that nothing was paid',
      ],
    ],
  },
  {
    claim: 'A refused payment closes its offer only for the wallet that made it.',
    attacks: [
      [
        'server/use-cases/payments/close-refused.test.ts',
        'closes a quote for the wallet that paid, and for no other',
      ],
      ['server/payments/prepared-quotes.test.ts', 'closes the quote for that wallet alone'],
    ],
  },
  {
    claim:
      'We settle nothing before we have checked everything that could refuse the request. The payment and what it buys are claimed together.',
    attacks: [
      ['tests/payments-races.spec.ts', 'buy one receipt for one charge'],
      ['server/use-cases/payments/settle-for-a-rival.test.ts', 'is not charged'],
    ],
  },
  {
    claim:
      'A payment that may still land is never charged twice. The service answers 503. Repeat the request with the same payment to resume it, even after a crash.',
    attacks: [
      ['tests/payment-kills.test.ts', 'charged once, one receipt, and the repeat gets it'],
      ['tests/node-gaps.test.ts', 'is charged once'],
    ],
  },
  {
    claim: "A payment that bought nothing stays its payer's for 90 days.",
    attacks: [
      [JUDGE, 'buys what costs no more, for its payer alone, within 90 days'],
      ['server/payments/claim-payment.test.ts', 'that bought nothing frees the payment'],
    ],
  },
  {
    claim: 'Refunds are made by hand and recorded.',
    attacks: [
      ['server/payments/record-refund.test.ts', 'gives back no more than is left'],
      ['tests/payment-desk.spec.ts', 'is not refunded by a transfer that gives more than is left'],
    ],
  },
  {
    claim:
      'The ledger records everything that arrives at `PAY_TO` in USDC, SOL or a listed token, and everything that leaves it, within minutes. It does not matter whether a payment was presented.',
    attacks: [
      ['tests/ledger.test.ts', 'is on record, is held and is given back'],
      ['server/payments/ledger/scan-ledger.parts.test.ts', 'leaves a difference that is noted'],
      ['server/payments/ledger/find-arrived.test.ts', 'pages miss none and double none'],
    ],
  },
  {
    claim:
      'You can hold and refund a whole payment, a part or a surplus on record. Refunded money buys nothing.',
    attacks: [
      ['server/payments/record-refund.test.ts', 'and a claim at the same moment'],
      ['tests/ledger.test.ts', 'buys nothing when it is presented after'],
      ['server/payments/ledger/spam.test.ts', 'hide no refund'],
    ],
  },
  {
    claim: 'Payments are not added up.',
    attacks: [['server/payments/find-qualifying.parts.test.ts', 'but the earliest that qualifies']],
  },
  {
    claim: '`npm run admin -- reconcile` compares the ledger with the balances, by token.',
    attacks: [
      ['server/payments/ledger/reconcile.test.ts', 'difference'],
      ['tests/ledger-books.test.ts', 'by a node that shortens a history'],
    ],
  },
  {
    claim:
      'Payments stop before the minter or the storage balance run out, and while the account of `PAY_TO` is missing or frozen. The answer is a 503, with the reason in `/health`.',
    attacks: [
      ['server/payments/check-accounts.test.ts', 'are closed before the minter runs dry'],
      ['server/payments/check-accounts.test.ts', 'while the receiver’s account %s'],
    ],
  },
  {
    claim:
      'Before the fee payer runs out, only payments of x402 v1 and v2 stop. The 402 then offers neither, and clients that send their payment themselves continue.',
    attacks: [
      ['tests/payment-desk.spec.ts', 'payments that clients send are taken, none by x402 is'],
      [
        'server/payments/describe-challenge.test.ts',
        'offers no payment that the service would send',
      ],
    ],
  },
  {
    claim: 'We check each minute.',
    attacks: [
      ['tests/payment-desk.spec.ts', 'payments that clients send are taken, none by x402 is'],
    ],
  },
  {
    claim:
      "Payments also stop while the clock of the machine or of the chain is more than 30 s from the database's.",
    attacks: [
      ['tests/clocks.test.ts', 'sells nothing, and says why'],
      [
        'server/payments/chain-clock.test.ts',
        'is read from the newest final block, less the slots since',
      ],
    ],
  },
  {
    claim:
      'The fee payer signs transactions that clients made, so it must hold SOL and nothing else.',
    attacks: [
      [`${FACILITATOR}/attacks-in-the-payment.test.ts`, 'the fee payer’s own token account'],
    ],
  },
  {
    claim:
      'It signs only a compute limit and price, one transfer of USDC, memos, and Lighthouse assertions about the payer and the accounts of the transfer.',
    attacks: [
      [`${FACILITATOR}/attacks-behind-the-transfer.parts.test.ts`, 'an assertion about the clock'],
      [`${FACILITATOR}/attacks-in-the-payment.test.ts`, 'neither signed nor paid is a payment'],
    ],
  },
  {
    claim: 'At least 60 blocks must be left of the blockhash.',
    attacks: [
      [`${FACILITATOR}/simulate-payment.test.ts`, 'a blockhash with fewer than 60 blocks left'],
      ['tests/payments-exact.spec.ts', 'whose blockhash is nearly over'],
    ],
  },
  {
    claim:
      'The fee payer is an account of no instruction, and no key may come from a lookup table.',
    attacks: [
      [
        `${FACILITATOR}/attacks-in-the-payment.test.ts`,
        'names the fee payer through a lookup table',
      ],
      [
        `${FACILITATOR}/attacks-behind-the-transfer.parts.test.ts`,
        'memories at the expense of the fee payer',
      ],
    ],
  },
  {
    claim:
      'A payment costs the fee payer at most 22,000 lamports. The simulation before signing must show this as well.',
    attacks: [
      ['tests/money-claims.spec.ts', 'pays 22,000 lamports at most'],
      [`${FACILITATOR}/simulate-payment.test.ts`, 'refuses one that costs %s'],
    ],
  },
  {
    claim: 'A durable nonce is refused, so every payment expires with its blockhash.',
    attacks: [
      [
        `${FACILITATOR}/attacks-in-the-payment.test.ts`,
        'a durable nonce, so that it is valid for ever',
      ],
    ],
  },
];

/** Words of the section that promise nothing. */
export const NO_CLAIMS: readonly string[] = [
  '`@x402/fetch`, `x402-fetch`, `x402-axios`, `@faremeter/fetch` and `x402-solana`',
];
