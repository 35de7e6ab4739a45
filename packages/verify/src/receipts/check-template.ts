import { attempt, notJudged, type CheckLine } from './check-line';
import type { MetadataReading, ReceiptMetadata } from './describe-parse';
import { descriptionOf, receiptName, writeMetadata } from './write-metadata';

const ID = 'metadata_by_template';
const TITLE = 'The metadata is, byte for byte, what its template writes for these facts';

/**
 * The metadata written again by the template that it names, from its facts. Name, description,
 * traits, their order and their marks must be the same. It must hold nothing else: no animation, no
 * second file, no trait of another kind.
 */
export function checkTemplate(reading: MetadataReading, bytes: Uint8Array): CheckLine {
  if (!reading.ok) return notJudged(ID, TITLE, 'the metadata cannot be read');
  const { metadata } = reading;
  const template = `template ${metadata.template ?? 1}`;
  const again = attempt(() => writeMetadata(metadata));
  if (again && Buffer.from(again).equals(bytes))
    return { id: ID, title: TITLE, outcome: 'held', detail: `written again by ${template}` };
  return {
    id: ID,
    title: TITLE,
    outcome: 'failed',
    detail: `${template} ${differing(metadata, bytes, again)}`,
  };
}

/** The first difference, in words. */
function differing(said: ReceiptMetadata, bytes: Uint8Array, again: Uint8Array | null): string {
  const { service, chain } = said;
  const name = receiptName({ receiptId: service.receiptId, network: chain.network });
  if (said.name !== name) return `names it "${name}", not "${said.name}"`;
  const description = descriptionOf(said);
  if (said.description !== description)
    return `describes it as "${description.slice(0, 120)}", not "${said.description.slice(0, 120)}"`;
  const given = Buffer.from(bytes);
  const at = again ? again.findIndex((byte, i) => byte !== given[i]) : 0;
  const part = given.toString('utf8', Math.max(0, at - 40), at + 80);
  return `says something else, or in another way, at: ${part}`;
}
