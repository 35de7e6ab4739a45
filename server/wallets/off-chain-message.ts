/** Begins every off-chain message; no transaction can begin with 0xff. */
const DOMAIN = Buffer.concat([Buffer.from([0xff]), Buffer.from('solana offchain', 'ascii')]);

const ASCII = 0;
const UTF8_SHORT = 1;
const UTF8_LONG = 2;
/** Longest text that a hardware wallet shows, with the short header and with the full one. */
const MAX_SHORT_BYTES = 1_212;
const MAX_LONG_BYTES = 65_515;

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
  if (body.length === 0 || body.length > MAX_LONG_BYTES) return [];
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
  return [...formatsOf(body).flatMap((format) => [full(format), short(format)]), versionOne];
}

/** Printable ASCII may be declared as any format; other texts only as UTF-8. */
function formatsOf(body: Buffer): number[] {
  if (body.length > MAX_SHORT_BYTES) return [UTF8_LONG];
  const isPrintable = body.every((byte) => byte >= 0x20 && byte <= 0x7e);
  return isPrintable ? [ASCII, UTF8_SHORT, UTF8_LONG] : [UTF8_SHORT, UTF8_LONG];
}
