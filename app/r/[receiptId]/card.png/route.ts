import { serveReceiptCard } from '@/server/rest/receipt-card';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/r/{receipt_id}/card.png', {
  GET: ({ params }) => serveReceiptCard(params['receiptId'] ?? ''),
});
