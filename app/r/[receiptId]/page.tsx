import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ReceiptPaper } from '@/components/receipt/receipt-paper';
import { ReceiptSide, ReceiptVerdict } from '@/components/receipt/receipt-side';
import styles from '@/components/proof/proof.module.css';
import { loadReceiptPage, pageCaller } from '@/server/api/page-caller';
import { withPreview } from '../../with-preview';

type Props = { params: Promise<{ receiptId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { receiptId } = await params;
  const receipt = await loadReceiptPage(receiptId);
  const robots = { index: false, follow: false };
  if (!receipt) return { title: 'No such receipt', robots };
  const title = `Receipt ${receipt.receipt_id}`;
  const purpose = receipt.labels_hidden ? '' : `, for ${receipt.service_type}`;
  const description = `Payment receipt: ${receipt.amount} ${receipt.token}, ${receipt.block_time.slice(0, 10)}${purpose}. Anyone can check it.`;
  return { ...withPreview(`/r/${receipt.receipt_id}`, { title, description }), robots };
}

export default async function ReceiptPage({ params }: Props) {
  const { receiptId } = await params;
  const receipt = await loadReceiptPage(receiptId);
  if (!receipt) notFound();
  const seller = await (await pageCaller()).registrations.sellerName({ wallet: receipt.seller });
  return (
    <main className="wide">
      <div className={styles['page']}>
        <ReceiptVerdict receipt={receipt} />
        <div className={styles['sheet']}>
          <ReceiptPaper receipt={receipt} seller={seller} />
        </div>
        <ReceiptSide receipt={receipt} />
      </div>
    </main>
  );
}
