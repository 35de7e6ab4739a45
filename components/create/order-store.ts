/**
 * The order of a receipt, kept in this browser until the receipt exists. A page that was closed
 * resumes it.
 */
export type Order = {
  request: {
    tx_signature: string;
    service_type: string;
    transaction_type?: string;
    invoice_id?: string;
  };
  wallet: string;
  /** The wallet's signature over the text that proves it. Null if the wallet cannot sign texts. */
  proof: string | null;
  /** Offer of the fee that is due. Null when no fee is due. */
  quote: { id: string; priceRaw: string } | null;
  /** The payment that the wallet signed, base64. Null if the wallet sends the payment. */
  wire: string | null;
  /** Last block height at which the payment can land. Absent until one was prepared. */
  landsUntil?: string | undefined;
  receiptId: string | null;
  /** When it began, ISO 8601. */
  since: string;
};

/**
 * An order's labels for a payment. Empty for another payment. Labels are public for ever, so one
 * payment's labels must never appear at another.
 */
export function requestFor(
  order: Pick<Order, 'request'> | undefined,
  txSignature: string | null,
): Order['request'] | undefined {
  return order?.request.tx_signature === txSignature ? order?.request : undefined;
}

/** The labels of a request. Optional ones are absent if they are empty. */
export type RequestLabels = Omit<Order['request'], 'tx_signature'>;

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

/** Removes an order. One of another tab stays. */
export function forgetOrder(order: Order): void {
  try {
    const kept = loadOrder();
    const isOther = kept !== null && !isSameOrder(kept, order);
    if (!isOther) localStorage.removeItem(KEY);
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

function isSameOrder(one: Order, other: Order): boolean {
  return one.since === other.since && one.request.tx_signature === other.request.tx_signature;
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
