import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import type { Places } from '@quittance/verify/receipts/look-up-proof';
import type { StatementProof } from '@quittance/verify/statements/statement-proof';
import { presentRow, sumRows } from '@quittance/verify/statements/statement-rows';
import { encodeTags } from '@quittance/verify/storage/encode-tags';
import { writeItem } from '@quittance/verify/storage/item-format';
import { BLOCK_TIME, named } from '../../tests/harness/chain/made-transaction';
import { describeStatement, type StatementFacts } from './describe-statement';
import { makeRow, signatureOf } from './list.fixture';

/** Signatures of the transaction that a statement lists, and of one that it does not. */
export const LISTED = signatureOf('listed');
export const OTHER = signatureOf('other');
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const at = (later: number) => new Date(BLOCK_TIME * 1000 + later);
const day = (time: Date) => time.toISOString().slice(0, 10);

const row = makeRow(0, { txSignature: LISTED });
type Period = NonNullable<StatementFacts['period']>;

/** A scan of a day that ended an hour after the payments of these tests, made a week later. */
export function factsOf(change: Partial<StatementFacts> = {}, period: Partial<Period> = {}) {
  const whole = { from: at(-DAY), until: at(60 * MINUTE), minMicros: 10_000n, ...period };
  const facts: StatementFacts = {
    statementId: 'STMT7K3MQ9XW',
    issuedAt: new Date(whole.until.getTime() + 7 * DAY),
    network: 'local',
    publicUrl: 'https://receipts.example',
    wallet: named('payer'),
    mode: 'scan',
    firstDay: day(whole.from),
    lastDay: day(whole.until),
    period: whole,
    complete: true,
    totals: sumRows([row]),
    csvSha256: 'ab'.repeat(32),
    merkleRoot: 'cd'.repeat(32),
    ...change,
  };
  return describeStatement(facts, 'https://gateway.example/image');
}
export type History = { raw: RawTransaction; signature?: string; isTimed?: boolean }[];

/** A node whose histories have these transactions, all in that of the wallet. */
export function nodeWith(history: History): Pick<Places, 'rpc' | 'network'> {
  const lines = history.map(({ raw, signature = OTHER, isTimed = true }) => ({
    signature,
    slot: BigInt(raw.slot),
    blockTime: isTimed ? new Date((raw.blockTime ?? 0) * 1000) : null,
    failed: false,
    final: true,
    blockIndex: null,
    memo: null,
  }));
  const transactionOf = (wanted: string): RawTransaction | null => {
    const raw = history.find(({ signature = OTHER }) => signature === wanted)?.raw;
    if (!raw || Array.isArray(raw.transaction)) return null;
    return { ...raw, transaction: { ...raw.transaction, signatures: [wanted] } };
  };
  return {
    network: 'local',
    rpc: {
      getTransaction: (signature) => Promise.resolve(transactionOf(signature)),
      getSignatureStatuses: () => Promise.resolve([null]),
      getAccountInfo: () => Promise.resolve(null),
      getSignaturesForAddress: (address, { before }) =>
        Promise.resolve(address === named('payer') && before === undefined ? lines : []),
      getBlock: () => Promise.resolve(null),
      getOwnedAccounts: () => Promise.resolve([]),
      getGenesisHash: () => Promise.resolve(''),
    },
  };
}

/** The proof of a statement of these bytes, which lists one row. */
export function documentOf(metadata: Uint8Array): StatementProof {
  const none = new Uint8Array(0);
  const item = writeItem(
    {
      signature: new Uint8Array(64),
      owner: new Uint8Array(32),
      target: none,
      anchor: none,
      tagBytes: encodeTags([]),
      data: metadata,
    },
    0,
  );
  const file = { item_id: '', uri: '', sha256: '', item: Buffer.from(item).toString('base64') };
  return {
    success: true,
    network: 'local',
    issuer_url: '',
    metadata: file,
    image: file,
    mint_signature: '',
    asset_id: '',
    tree: '',
    leaf_index: 0,
    creator: '',
    leaf: {
      owner: '',
      delegate: '',
      nonce: 0,
      data_hash: '',
      creator_hash: '',
      collection_hash: '',
      asset_data_hash: '',
      flags: 0,
      hash: '',
    },
    holder: null,
    root: null,
    proof: null,
    statement_id: 'STMT7K3MQ9XW',
    transactions: [presentRow(row)],
  };
}
