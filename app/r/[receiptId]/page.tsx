import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { amountOf } from '@/components/ui/amount';
import { dateText } from '@/components/ui/dates';
import { NeedsScript } from '@/components/needs-script';
import { PrintedFoot } from '@/components/proof/printed-foot';
import { ReceiptPaper } from '@/components/receipt/receipt-paper';
import { ReceiptSide, ReceiptVerdict } from '@/components/receipt/receipt-side';
import styles from '@/components/proof/proof.module.css';
import { Texts } from '@/i18n/texts';
import { loadReceiptPage, pageCaller } from '@/server/api/page-caller';
import { answerMissing } from '@/server/api/page-status';
import { env } from '@/server/env';
import { withPreview } from '../../with-preview';
import { MissingReceipt } from './missing';

type Props = { params: Promise<{ receiptId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { receiptId } = await params;
  const receipt = await loadReceiptPage(receiptId);
  const robots = { index: false, follow: false };
  const t = await getTranslations('receipt');
  if (!receipt) return { title: t('missing.short'), robots };
  const title = t('meta.title', { id: receipt.receipt_id });
  const locale = await getLocale();
  const facts = {
    amount: amountOf(receipt.amount_raw, receipt.decimals, locale),
    token: receipt.token,
    day: dateText(receipt.block_time, locale, 'day'),
  };
  // Without labels: chats keep a preview, also after the operator hid them.
  const description = t('meta.description', facts);
  return { ...withPreview(`/r/${receipt.receipt_id}`, { title, description }), robots };
}

export default async function ReceiptPage({ params }: Props) {
  const { receiptId } = await params;
  const receipt = await loadReceiptPage(receiptId);
  if (!receipt) {
    answerMissing();
    return <MissingReceipt />;
  }
  const seller = await (await pageCaller()).registrations.sellerName({ wallet: receipt.seller });
  return (
    <main className="wide">
      <NeedsScript />
      <div className={styles['page']}>
        <Texts of={['receipt', 'proof', 'progress']}>
          <ReceiptVerdict receipt={receipt} />
          <div className={styles['sheet']}>
            <ReceiptPaper receipt={receipt} seller={seller} />
            <PrintedFoot address={`${env().publicUrl}/r/${receipt.receipt_id}`} />
          </div>
          <ReceiptSide receipt={receipt} />
        </Texts>
      </div>
    </main>
  );
}
