import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import { amountOf } from '@/components/ui/amount';
import { ReceiptPaper } from '@/components/receipt/receipt-paper';
import { ReceiptSide, ReceiptVerdict } from '@/components/receipt/receipt-side';
import styles from '@/components/proof/proof.module.css';
import { Texts } from '@/i18n/texts';
import { loadReceiptPage, pageCaller } from '@/server/api/page-caller';
import { withPreview } from '../../with-preview';

type Props = { params: Promise<{ receiptId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { receiptId } = await params;
  const receipt = await loadReceiptPage(receiptId);
  const robots = { index: false, follow: false };
  const t = await getTranslations('receipt');
  if (!receipt) return { title: t('missing.short'), robots };
  const title = t('meta.title', { id: receipt.receipt_id });
  const facts = {
    amount: amountOf(receipt.amount_raw, receipt.decimals, await getLocale()),
    token: receipt.token,
    day: receipt.block_time.slice(0, 10),
  };
  const description = receipt.labels_hidden
    ? t('meta.description', facts)
    : t('meta.descriptionFor', { ...facts, purpose: receipt.service_type });
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
        <Texts of={['receipt', 'proof', 'progress']}>
          <ReceiptVerdict receipt={receipt} />
          <div className={styles['sheet']}>
            <ReceiptPaper receipt={receipt} seller={seller} />
          </div>
          <ReceiptSide receipt={receipt} />
        </Texts>
      </div>
    </main>
  );
}
