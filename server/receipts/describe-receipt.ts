import { besideLines, LISTED_PAYEES, TEMPLATE } from '@quittance/verify/receipts/describe-beside';
import { readTemplate } from '@quittance/verify/receipts/parse-beside';
import { type ReceiptSaid, writeMetadata } from '@quittance/verify/receipts/write-metadata';
import type { ReceiptFacts } from './receipt-facts';

/** The metadata of a receipt, by the newest template; a receipt of the first one stays of the first one. */
export function describeReceipt(facts: ReceiptFacts, imageUri: string): Uint8Array {
  return writeMetadata(saidOf(facts, imageUri));
}

function saidOf(facts: ReceiptFacts, imageUri: string): ReceiptSaid {
  const { beside } = facts;
  const template = readTemplate(() => TEMPLATE);
  const said: ReceiptSaid = {
    imageUri,
    pageUrl: `${facts.publicUrl}/r/${facts.receiptId}`,
    chain: chainOf(facts),
    service: {
      receiptId: facts.receiptId,
      issuedAt: facts.issuedAt,
      token: facts.token,
      usdMicros: facts.usdMicros,
      usdBasis: facts.valuation,
      usdSource: facts.valuationSource,
      dtiCode: facts.dtifCode,
      dtiGroupCode: facts.groupCode,
      prices: beside?.prices ?? [],
    },
    labels: {
      reportedBy: facts.reportedBy,
      serviceType: facts.serviceType,
      transactionType: facts.transactionType,
      invoiceId: facts.invoiceId,
    },
  };
  return beside && template !== null && template !== 1 ? { ...said, template } : said;
}

function chainOf(facts: ReceiptFacts): ReceiptSaid['chain'] {
  return {
    network: facts.network,
    transaction: facts.txSignature,
    slot: facts.slot,
    paidAt: facts.blockTime,
    payer: facts.payer,
    seller: facts.seller,
    amount: facts.amount,
    decimals: facts.decimals,
    mint: facts.mint,
    tokenProgram: facts.tokenProgram,
    amountSent: facts.amountSent,
    feeWithheld: facts.feeWithheld,
    otherPayees: facts.otherLegs.length,
    listedPayees: facts.otherLegs.slice(0, LISTED_PAYEES),
    ...(facts.beside && { beside: besideLines(facts.beside) }),
  };
}
