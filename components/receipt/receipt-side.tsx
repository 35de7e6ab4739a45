'use client';

import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { CheckYourself } from '../proof/check-yourself';
import { Evidence } from '../proof/evidence';
import { Keep } from '../proof/keep';
import styles from '../proof/proof.module.css';
import { Technical } from '../proof/technical';
import { Verdict } from '../proof/verdict';
import { Address } from '../ui/address';
import { failedWords } from './failed-words';
import { MintProgress } from './mint-progress';
import { RetryMint } from './retry-mint';

/** The verdict, and what there is to do about it where it is not decided yet. */
export function ReceiptVerdict({ receipt }: { receipt: ReceiptBody }) {
  const router = useRouter();
  const { receipt_id: id, mint_status: status } = receipt;
  const t = useTranslations('receipt');
  const failed = failedWords(receipt.last_error);
  return (
    <div className={`${styles['top'] ?? ''} stack screen-only`}>
      <Verdict of={{ kind: 'receipt', id }} state={status} failed={t(`failed.${failed.text}`)} />
      {status === 'pending' ? (
        <MintProgress id={id} made="receipt" onEnd={() => router.refresh()} />
      ) : null}
      {status === 'failed' && failed.canRetry ? (
        <RetryMint
          failed={{ made: 'receipt', txSignature: receipt.tx_signature }}
          onStarted={() => router.refresh()}
        />
      ) : null}
    </div>
  );
}

/** Beside the paper: the evidence, how to check it elsewhere, what can be done with it, and where its parts are. */
export function ReceiptSide({ receipt }: { receipt: ReceiptBody }) {
  const { receipt_id: id, mint_status: status } = receipt;
  const of = { kind: 'receipt', id } as const;
  const t = useTranslations('receipt');
  return (
    <div className={`${styles['side'] ?? ''} screen-only`}>
      <Evidence of={of} state={status} />
      {status === 'completed' ? <CheckYourself of={of} /> : null}
      <Keep of={of} state={status} />
      <Technical
        of={of}
        minted={receipt}
        more={[
          {
            term: t('side.leaf'),
            value: receipt.leaf_index === null ? '–' : String(receipt.leaf_index),
          },
          { term: t('side.slot'), value: String(receipt.slot) },
          {
            term: t('side.tokenMint'),
            value:
              receipt.mint === null ? (
                t('side.nativeSol')
              ) : (
                <Address value={receipt.mint} label={t('side.tokenMint')} />
              ),
          },
        ]}
      />
    </div>
  );
}
