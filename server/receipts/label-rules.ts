import { MOST_CHARACTERS } from '@quittance/verify/receipts/clean-label';

/**
 * The rules of labels, which judge-label.ts applies. The terms, the docs, /llms.txt and the API
 * description take these texts from here.
 */
export const LABEL_RULES: readonly { name: string; text: string }[] = [
  {
    name: 'Label length',
    text: `\`service_type\` and \`invoice_id\` have at most ${MOST_CHARACTERS.serviceType} characters, \`transaction_type\` at most ${MOST_CHARACTERS.transactionType}. At least one must be visible. Characters are Unicode code points, counted after the clean-up.`,
  },
  {
    name: 'Label scripts',
    text: 'Latin, Cyrillic, Greek, Vietnamese, Arabic, Persian, Hebrew, Devanagari, Sinhala, Malayalam, Thai, Chinese, Japanese, Korean and emoji. A label with a character that the image cannot show is refused.',
  },
  {
    name: 'Label clean-up',
    text: 'Text is written in the composed form (NFC), on one line, without control characters, marks that turn text around, and invisible characters. Joiners stay where a script or an emoji needs them. The page shows the label as it will be written.',
  },
  {
    name: 'Refused labels',
    text: 'Links, web addresses such as `example.com`, handles with `@`, e-mail addresses, and prize words such as “airdrop”, “giveaway”, “free mint” or “claim your reward”. Wallets hide NFTs that hold them. A file such as `report.pdf` and words such as “insurance claim” are accepted.',
  },
  {
    name: 'Hidden labels',
    text: 'A label must not name a private person or break the law. The service cannot detect that, so the operator hides such a label later.',
  },
];
