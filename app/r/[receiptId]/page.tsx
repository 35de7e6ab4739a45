import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { loadReceiptPage } from '@/server/api/verbs/load-receipt-page';

type Props = { params: Promise<{ receiptId: string }> };

export const metadata: Metadata = {
  title: 'Receipt',
  robots: { index: false, follow: false },
};

const PROOF = {
  pending: 'The proof on chain is being made.',
  completed: 'Proven on chain.',
  failed: 'The proof on chain could not be made. The payment itself is not affected.',
} as const;

export default async function ReceiptPage({ params }: Props) {
  const { receiptId } = await params;
  const receipt = await loadReceiptPage(receiptId);
  if (!receipt) notFound();
  return (
    <main className="receipt-page">
      <h1>Receipt {receipt.receipt_id}</h1>
      <p className="lead">{PROOF[receipt.mint_status]}</p>
      {/* The picture is a stored file of fixed size: nothing is left to optimise. */}
      {/* eslint-disable-next-line @next/next/no-img-element */}
      <img
        src={`/receipt/${receipt.receipt_id}/image.png`}
        width={1000}
        height={1000}
        alt={`Payment receipt: ${receipt.amount} ${receipt.token} from ${receipt.payer} to ${receipt.seller} on ${receipt.block_time}`}
      />
      <p>
        <a href={`/receipt/${receipt.receipt_id}`}>All facts as JSON</a>
        {' · '}
        <a href={receipt.metadata_uri}>Document on permanent storage</a>
      </p>
    </main>
  );
}
