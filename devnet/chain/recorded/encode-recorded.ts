import { encodeInner, encodeMessage, type TransactionEncoding } from '../encode/encode-transaction';
import type { RecordedTransaction } from './load-recorded';

/**
 * A recorded transaction as `getTransaction` prints it, without `version`. In the encoding of the
 * recording, everything is unchanged. In another, transaction and inner instructions are printed
 * again, and the rest of `meta` stays unchanged.
 */
export function encodeRecorded(recorded: RecordedTransaction, encoding: TransactionEncoding) {
  const printed = { ...recorded.printed };
  delete printed.version;
  if (recorded.encoding === encoding) return printed;
  const { loadedAddresses, ...meta } = printed.meta;
  const hasLoaded = loadedAddresses !== undefined || recorded.message.version === 0;
  return {
    ...printed,
    transaction: encodeMessage(recorded.message, encoding),
    meta: {
      ...meta,
      ...(recorded.inner ? { innerInstructions: encodeAllInner(recorded, encoding) } : {}),
      ...(hasLoaded && encoding !== 'jsonParsed' ? { loadedAddresses: recorded.loaded } : {}),
    },
  };
}

function encodeAllInner(recorded: RecordedTransaction, encoding: TransactionEncoding) {
  // Base64 and json print inner instructions alike.
  const isCompiled = recorded.encoding !== 'jsonParsed';
  if (isCompiled && encoding !== 'jsonParsed') return recorded.printed.meta.innerInstructions;
  return recorded.inner?.map((group) => ({
    index: group.index,
    instructions: group.instructions.map((ix) => encodeInner(ix, recorded.message.keys, encoding)),
  }));
}
