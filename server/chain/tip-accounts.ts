/**
 * Accounts of relays and block engines that take tips. A tip buys a place in a block, as a network fee does.
 * Collected in 2026 from public code; the page beside each list is where the relay publishes its own, to be
 * compared with it. Of bloXroute it is the earlier list. Relays change these, and a missing one is a leg.
 */
const PUBLISHED = {
  /** https://docs.jito.wtf/lowlatencytxnsend/ (getTipAccounts of the block engine). */
  jito: [
    '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5',
    'HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe',
    'Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY',
    'ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49',
    'DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh',
    'ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt',
    'DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL',
    '3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT',
  ],
  /** https://www.helius.dev/docs/sending-transactions/sender */
  heliusSender: [
    '4ACfpUFoaSD9bfPdeu6DBt89gB6ENTeHBXCAi87NhDEE',
    'D2L6yPZ2FmmmTKPgzaMKdhu6EWZcTpLy1Vhx8uvZe7NZ',
    '9bnz4RShgq1hAnLnZbP8kbgBg1kEmcJBYQq3gQbmnSta',
    '5VY91ws6B2hMmBFRsXkoAAdsPHBJwRfBht4DXox3xkwn',
    '2nyhqdwKcJZR2vcqCyrYsaPVdAnFoJjiksCXJ7hfEYgD',
    '2q5pghRs6arqVjRvT5gfgWfWcHWmw1ZuCzphgd5KfWGJ',
    'wyvPkWjVZz1M8fHQnMMCDTQDbkManefNNhweYk5WkcF',
    '3KCKozbAaF75qEU33jtzozcJ29yJuaLJTy2jFdzUY8bT',
    '4vieeGHPYPG2MmyPRcYjdiDmmhN3ww7hsFNap8pVN3Ey',
    '4TQLFNWK8AovT1gFvda5jfw2oJeRMKEmw7aH6MGBJ3or',
  ],
  /** https://use.temporal.xyz/nozomi/tipping */
  nozomi: [
    'TEMPaMeCRFAS9EKF53Jd6KpHxgL47uWLcpFArU1Fanq',
    'noz3jAjPiHuBPqiSPkkugaJDkJscPuRhYnSpbi8UvC4',
    'noz3str9KXfpKknefHji8L1mPgimezaiUyCHYMDv1GE',
    'noz6uoYCDijhu1V7cutCpwxNiSovEwLdRHPwmgCGDNo',
    'noz9EPNcT7WH6Sou3sr3GGjHQYVkN3DNirpbvDkv9YJ',
    'nozc5yT15LazbLTFVZzoNZCwjh3yUtW86LoUyqsBu4L',
    'nozFrhfnNGoyqwVuwPAW4aaGqempx4PU6g6D9CJMv7Z',
    'nozievPk7HyK1Rqy1MPJwVQ7qQg2QoJGyP71oeDwbsu',
    'noznbgwYnBLDHu8wcQVCEw6kDrXkPdKkydGJGNXGvL7',
    'nozNVWs5N8mgzuD3qigrCG2UoKxZttxzZ85pvAQVrbP',
    'nozpEGbwx4BcGp6pvEdAh1JoC2CQGZdU6HbNP1v2p6P',
    'nozrhjhkCr3zXT3BiT4WCodYCUFeQvcdUkM7MqhKqge',
    'nozrwQtWhEdrA6W8dkbt9gnUaMs52PdAv5byipnadq3',
    'nozUacTVWub3cL4mJmGCYjKZTnE9RbdY5AP46iQgbPJ',
    'nozWCyTPppJjRuw2fpzDhhWbW355fzosWSzrrMYB1Qk',
    'nozWNju6dY353eMkMqURqwQEoM3SFgEKC6psLCSfUne',
    'nozxNBgWohjR75vdspfxR5H9ceC7XXH99xpxhVGt3Bb',
  ],
  /** https://docs.bloxroute.com/solana/trader-api/introduction/tip-and-tipping-addresses */
  bloxroute: [
    'HWEoBxYs7ssKuudEjzjmpfJVX7Dvi7wescFsVx2L5yoY',
    '95cfoy472fcQHaw4tPGBTKpn6ZQnfEPfBgDQx6gcRmRg',
    '3UQUKjhMKaY2S6bjcQD6yHB7utcZt5bfarRCmctpRtUd',
    'FogxVNs6Mm2w9rnGL1vkARSwJxvLE8mujTv3LK8RnUhF',
  ],
  /** https://astralane.gitbook.io/docs/low-latency/endpoints-and-configs */
  astralane: [
    'astra4uejePWneqNaJKuFFA8oonqCE1sqF6b45kDMZm',
    'astrazznxsGUhWShqgNtAdfrzP2G83DzcWVJDxwV9bF',
    'astra9xWY93QyfG6yM8zwsKsRodscjQ2uU2HKNL5prk',
    'astraRVUuTHjpwEVvNBeQEgwYx9w9CFyfxjYoobCZhL',
    'astraEJ2fEj8Xmy6KLG7B3VfbKfsHXhHrNdCQx7iGJK',
    'astraubkDw81n4LuutzSQ8uzHCv4BhPVhfvTcYv8SKC',
    'astraZW5GLFefxNPAatceHhYjfA1ciq9gvfEg2S47xk',
    'astrawVNP4xDBKT7rAdxrLYiTSTdqtUr63fSMduivXK',
  ],
} as const;

export const TIP_ACCOUNTS: ReadonlySet<string> = new Set(Object.values(PUBLISHED).flat());
