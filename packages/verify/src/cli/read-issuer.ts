import { z } from 'zod';
import { type GivenIssuer, originOf, pageUrlOf } from '../receipts/check-issuer';
import { attempt } from '../receipts/check-line';
import { issuerDocument } from '../receipts/issuer-document';
import type { MintProof } from '../receipts/proof-document';
import { itemData } from '../storage/verify-item';
import { parseDocument, readDocument, Unreadable } from './read-document';

const PATH = '/.well-known/quittance.json';

/**
 * The issuer's document: the one that the user gives, otherwise that of the https site in the NFT.
 * `note` says which. Throws Unreadable.
 */
export async function readIssuer(
  place: string | undefined,
  proof: Pick<MintProof, 'metadata'>,
): Promise<GivenIssuer & { note: string }> {
  const from = place ?? siteOf(proof);
  const raw = await readDocument(from, z.looseObject({}));
  const document = parseDocument(from, raw, issuerDocument);
  const note =
    place === undefined
      ? `The issuer's document is from ${from}, the site that the NFT names: the verdict is about receipts of that site.`
      : `The issuer's document is the one given, ${from}: you decide whether it is the issuer's own.`;
  return { raw, document, note };
}

/** Without https, anybody on the way could give another document. */
function siteOf({ metadata }: Pick<MintProof, 'metadata'>): string {
  const file = attempt(() => itemData(Buffer.from(metadata.item, 'base64')));
  const origin = originOf((file && pageUrlOf(file)) ?? '');
  if (origin?.startsWith('https://')) return `${origin}${PATH}`;
  throw new Unreadable(
    `The NFT names ${origin ?? 'no site'}, not one of https: give the issuer's document with --issuer.`,
  );
}
