/** The order of a receipt, kept in this browser until the receipt exists. A page that was closed resumes it. */
export type Order = {
  request: {
    tx_signature: string;
    service_type: string;
    transaction_type?: string;
    invoice_id?: string;
  };
  wallet: string;
  /** The wallet's signature over the text that proves it; null where it cannot sign texts. */
  proof: string | null;
  /** Offer of the fee that is due; null while none is. */
  quote: { id: string; priceRaw: string } | null;
  /** The payment as the wallet signed it, base64; null where the wallet sends the payment. */
  wire: string | null;
  /** Last block height at which the payment can land; absent until one was prepared. */
  landsUntil?: string | undefined;
  receiptId: string | null;
  /** When it began, ISO 8601. */
  since: string;
};

/**
 * What an order says about a payment; nothing where it is for another one. Labels are public for ever, so those of
 * one payment never show up at another.
 */
export function requestFor(
  order: Pick<Order, 'request'> | undefined,
  txSignature: string | null,
): Order['request'] | undefined {
  return order?.request.tx_signature === txSignature ? order?.request : undefined;
}

const KEY = 'quittance-order';
/** Quotes are kept for 48 hours, so an older order cannot resume. */
const KEPT_MS = 48 * 3_600_000;

export function saveOrder(order: Order): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(order));
  } catch {
    // A browser that stores nothing cannot resume. The service still finishes a paid order.
  }
}

export function forgetOrder(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}

/** The order that this browser keeps, or null. */
export function loadOrder(): Order | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isOrder(stored) && Date.now() - Date.parse(stored.since) < KEPT_MS ? stored : null;
  } catch {
    return null;
  }
}

function isOrder(stored: unknown): stored is Order {
  if (!isObject(stored)) return false;
  const { request, wallet, since, quote } = stored;
  return (
    isObject(request) &&
    typeof request['tx_signature'] === 'string' &&
    typeof request['service_type'] === 'string' &&
    typeof wallet === 'string' &&
    typeof since === 'string' &&
    (quote === null || (isObject(quote) && typeof quote['id'] === 'string'))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
