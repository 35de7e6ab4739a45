import type { ExactPayment } from '@/server/payments/read-payment-header';
import type { RequestContext } from '../request-context';
import type { Purchase, Taken } from './purchase';
import { paymentDue } from './refuse-payment';

export async function takeExact<Reserved>(
  ctx: RequestContext,
  purchase: Purchase<Reserved>,
  _presented: ExactPayment,
): Promise<Taken<Reserved>> {
  throw await paymentDue(ctx, purchase, null);
}
