/** Begins every off-chain message; no transaction can begin with 0xff. */
const DOMAIN = Buffer.concat([Buffer.from([0xff]), Buffer.from('solana offchain', 'ascii')]);

/**
 * Restricted ASCII, UTF-8 that fits a hardware wallet, longer UTF-8. Wallets differ in what they declare
 * (line breaks, for one); the text that is signed is the same, so all are tried.
 */
const FORMATS = [0, 1, 2];

/** The length field and the header must fit 65,535 bytes. */
const MAX_TEXT_BYTES = 65_515;

/**
 * The byte strings that wallets sign for a text instead of the text itself, so that a hardware wallet can
 * tell it from a transaction.
 *
 * Version 0, full header (docs.anza.xyz/proposals/off-chain-message-signing): domain, version, application
 * domain (32 bytes, zero here), format, signer count, signers, length (u16), text. Version 0, short header
 * (what the Solana CLI and Ledger's first apps sign): domain, version, format, length, text. Version 1
 * (solana-foundation/SRFCs discussion 3): domain, version, signer count, signers, text.
 */
export function offChainForms(text: string, wallet: Uint8Array): Buffer[] {
  const body = Buffer.from(text, 'utf8');
  if (body.length === 0 || body.length > MAX_TEXT_BYTES) return [];
  const length = Buffer.alloc(2);
  length.writeUInt16LE(body.length);
  const full = (format: number): Buffer =>
    Buffer.concat([
      DOMAIN,
      Buffer.from([0]),
      Buffer.alloc(32),
      Buffer.from([format, 1]),
      wallet,
      length,
      body,
    ]);
  const short = (format: number): Buffer =>
    Buffer.concat([DOMAIN, Buffer.from([0, format]), length, body]);
  const versionOne = Buffer.concat([DOMAIN, Buffer.from([1, 1]), wallet, body]);
  return [...FORMATS.flatMap((format) => [full(format), short(format)]), versionOne];
}
