export * from '@solana-program/memo';
