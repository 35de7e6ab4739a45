import { type DatedList, readDatedList } from './dated-list';

/**
 * Programs whose pools count as exchanges: an account of theirs that gives one token for another is
 * neither payer nor seller. Ids of mainnet in public code. The comment above each names where the
 * project publishes its own. A later program is `[id, day]`, with the day from which it counts.
 * Never edit an entry: documents were made by it (`published-lists.test.ts`).
 */
export const EXCHANGES: DatedList = readDatedList({
  since: '2026-11-29',
  entries: [
    /** Jupiter aggregator 6 and 4: https://dev.jup.ag (program address of the swap API). */
    'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', // Jupiter v6
    'JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB', // Jupiter v4
    /** Orca: https://docs.orca.so, repository orca-so/whirlpools (declare_id). */
    'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', // Orca Whirlpools
    '9W959DqEETiGZocYWCQPaJ6sBmUzgfxXfqGeTEdp3aQP', // Orca token swap v2
    /** Raydium: https://docs.raydium.io (program addresses). */
    '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8', // Raydium AMM v4
    'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK', // Raydium concentrated liquidity
    'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C', // Raydium constant product
    'routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS', // Raydium router
    /** Meteora: https://docs.meteora.ag (program ids). */
    'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo', // Meteora DLMM
    'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB', // Meteora dynamic pools
    'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG', // Meteora DAMM v2
    /** Phoenix: repository Ellipsis-Labs/phoenix-v1 (declare_id). */
    'PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY', // Phoenix
    /** OpenBook v2: repository openbook-dex/openbook-v2 (declare_id). */
    'opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb', // OpenBook v2
    /** PumpSwap: repository pump-fun/pump-public-docs. */
    'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA', // PumpSwap
  ],
});
