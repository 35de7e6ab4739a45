import type { ReceiptEvidence } from './check-evidence';
import { byEitherTable, readByTable } from './by-either-table';
import { checkFacts } from './check-facts';
import { outcomeOf, type CheckLine } from './check-line';
import { checkLabels } from './check-labels';
import { checkMint } from './check-mint';
import { findLeaf, mintTime } from './minted-leaf';
import { checkImage } from './check-image';
import { checkStorage, webPathOf } from './check-storage';
import { checkTemplate } from './check-template';
import { checkTemplateUse } from './check-template-use';
import { checkToken } from './check-token';
import { RECEIPT_ID } from './ids';
import { parseReceiptMetadata, type MetadataReading } from './describe-parse';

/**
 * Checks a receipt. The published files and the NFT must be the issuer's, and the NFT must name the
 * files. It must be in the issuer's tree. The metadata must match the payment on chain. Pure: no
 * network, no database, no settings. Every line is given for the parts that were shown, in a fixed
 * order. If a part that a line relies on is missing, the line is unknown and says so.
 */
export function checkReceipt(evidence: ReceiptEvidence): CheckLine[] {
  const reading = parseReceiptMetadata(evidence.metadata.bytes);
  const metadata = reading.ok ? reading.metadata : null;
  const subject = metadata && {
    id: metadata.service.receiptId,
    name: metadata.name,
    imageUri: metadata.imageUri,
    issuedAt: metadata.service.issuedAt,
    paidAt: metadata.chain.paidAt,
    owner: metadata.chain.payer,
  };
  const leaf = findLeaf(evidence);
  const mintedAt = mintTime(evidence);
  const issuedAt = metadata?.service.issuedAt ?? null;
  const { network } = evidence.issuer;
  return [
    readable(reading, evidence.receiptId),
    checkTemplate(reading, evidence.metadata.bytes),
    checkLabels(metadata),
    ...checkStorage({ evidence, subject }),
    ...checkImage({
      metadata,
      bytes: evidence.metadata.bytes,
      image: evidence.image.bytes,
    }),
    checkTemplateUse({ metadata, issuedAt, mintedAt }),
    ...checkMint({ evidence, subject, holder: 'payer', leaf }),
    ...byEitherTable({ network, issuedAt, mintedAt }, (tableOf) =>
      checkFacts({
        payment: readByTable(evidence.payment, { network, tableOf }),
        network,
        metadata,
      }),
    ),
    ...checkToken({ network, metadata, mintedAt }),
  ];
}

function readable(reading: MetadataReading, receiptId: string): CheckLine {
  const line = { id: 'metadata_readable', title: 'The metadata belongs to this receipt' };
  if (!reading.ok) return { ...line, outcome: 'failed', detail: reading.why };
  const { name, pageUrl, service } = reading.metadata;
  const held =
    RECEIPT_ID.test(receiptId) &&
    service.receiptId === receiptId &&
    name.endsWith(`Receipt ${receiptId}`) &&
    webPathOf(pageUrl) === `/r/${receiptId}`;
  return {
    ...line,
    outcome: outcomeOf(held),
    detail: `it is named "${name}" and is receipt ${service.receiptId}`,
  };
}
