/** A sentence of a document that promises something about money, and the tests that try to break it. */
export type MoneyClaim = {
  /** A literal part of docs/payments.md, ignoring line breaks. */
  claim: string;
  /** Test file, and a part of its title. */
  attacks: readonly (readonly [file: string, title: string])[];
};

const FACILITATOR = 'server/payments/facilitator';
const JUDGE = 'server/payments/judge-payment.test.ts';

/** The sentences under "Promises" in docs/payments.md. */
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
      ['tests/payments-documented.spec.ts', 'only with the wallet headers of the wallet that paid'],
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
      [JUDGE, 'is decided by slots, not by times'],
      ['server/payments/open-quote.test.ts', 'notes the highest slot that any node knows'],
    ],
  },
  {
    claim:
      'A request with an empty body (`{}` or none) and without a payment is answered 402 with the price range. A payment with an empty body is answered 400, and we never settle it.',
    attacks: [
      ['tests/x402-clients.spec.ts', 'gets the price range for %s, and no quote'],
      ['tests/x402-clients.spec.ts', 'is refused with a payment and the body %j'],
    ],
  },
  {
    claim: 'We do not trust a slot far above that of a node with current blocks.',
    attacks: [
      ['server/chain/believed-slots.test.ts', 'makes no honest node stale'],
      ['server/chain/every-node.test.ts', 'one of three nodes that is far above the others'],
    ],
  },
  {
    claim:
      'The offer records no slot if two nodes contradict each other, or if only one of several answers within a second. A payment without a memo then needs the wallet headers of its payer.',
    attacks: [
      ['server/chain/believed-slots.test.ts', 'the only one that answers of two says a low one'],
      ['server/chain/believed-slots.test.ts', 'one of two invents a chain above'],
      ['server/payments/quotes.test.ts', 'without a slot, within two minutes'],
    ],
  },
  {
    claim:
      'A payment counts once two nodes (or the only one) show it in the same block. Until then the service answers 503. Repeat the request with the same payment.',
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
      'Within about a minute after fewer than two of several nodes answer, the 402 says that a payment counts later. It then offers no payment of x402 v1 and v2.',
    attacks: [
      ['server/payments/check-accounts.test.ts', 'while one alone of several nodes answers'],
      ['server/payments/describe-challenge.test.ts', 'counts later while one node alone answers'],
    ],
  },
  {
    claim:
      'A page asks a wallet to pay only after two nodes (or the only one) show that nothing was paid for the same thing before. Otherwise the service answers 503.',
    attacks: [
      ['server/use-cases/payments/pay-once.parts.test.ts', 'never on the word of one node'],
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
      'We settle nothing before we have checked every reason to refuse the request. We claim the payment and its purchase together.',
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
    claim: 'If a payment bought nothing, its payer can use it for 90 days.',
    attacks: [
      [JUDGE, 'buys what costs no more, for its payer alone, within 90 days'],
      ['server/payments/claim-payment.test.ts', 'that bought nothing frees the payment'],
    ],
  },
  {
    claim: 'The operator makes refunds by hand and records them.',
    attacks: [
      ['server/payments/record-refund.test.ts', 'refunds no more than is left'],
      ['tests/payment-desk.spec.ts', 'is not refunded by a transfer that gives more than is left'],
    ],
  },
  {
    claim:
      'The ledger records everything that arrives at `PAY_TO` in USDC, SOL or a listed token, and everything that leaves it, within minutes. It does not matter whether a payment was presented.',
    attacks: [
      ['tests/ledger.test.ts', 'is recorded, held and refunded'],
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
      'With two or more nodes, two of them must show each row of the ledger. A scan may first write a row that only one node shows. Within minutes we replace a row that two nodes show differently, and remove a row of a transaction that does not exist. Each correction is in the audit log. If two nodes do not agree on a row, we check it again every 10 minutes.',
    attacks: [
      [
        'server/payments/ledger/confirm-entries.test.ts',
        'once two nodes show another payer or time',
      ],
      [
        'server/payments/ledger/confirm-entries.test.ts',
        'once two nodes read its block without it',
      ],
      ['server/payments/ledger/confirm-entries.test.ts', 'stays and is asked for later'],
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
      [
        'tests/payment-desk.spec.ts',
        'clients that send their own payment can pay, x402 is refused',
      ],
      [
        'server/payments/describe-challenge.test.ts',
        'offers no payment that the service would send',
      ],
    ],
  },
  {
    claim: 'We check each minute.',
    attacks: [
      [
        'tests/payment-desk.spec.ts',
        'clients that send their own payment can pay, x402 is refused',
      ],
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
      [
        `${FACILITATOR}/attacks-in-the-payment.test.ts`,
        'the service neither signs nor pays for a payment',
      ],
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
    claim: 'No instruction may name the fee payer, and no key may come from a lookup table.',
    attacks: [
      [
        `${FACILITATOR}/attacks-in-the-payment.test.ts`,
        'with the fee payer named through a lookup table',
      ],
      [
        `${FACILITATOR}/attacks-behind-the-transfer.parts.test.ts`,
        'memories at the expense of the fee payer',
      ],
    ],
  },
  {
    claim:
      'A payment costs the fee payer at most 22,000 lamports, and the simulation before signing must show this.',
    attacks: [
      ['tests/money-claims.spec.ts', 'pays 22,000 lamports at most'],
      [`${FACILITATOR}/simulate-payment.test.ts`, 'refuses one that costs %s'],
    ],
  },
  {
    claim: 'The service refuses a durable nonce, so every payment expires with its blockhash.',
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
