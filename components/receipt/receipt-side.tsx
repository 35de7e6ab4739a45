'use client';

import { useTranslations } from 'next-intl';
import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { CheckYourself } from '../proof/check-yourself';
import { Evidence } from '../proof/evidence';
import { Keep } from '../proof/keep';
import styles from '../proof/proof.module.css';
import { Technical } from '../proof/technical';
import { Verdict } from '../proof/verdict';
import { Address } from '../ui/address';
import { useRefresh } from '../ui/use-refresh';
import { failedWords } from './failed-words';
import { MintProgress } from './mint-progress';
import { RetryMint } from './retry-mint';

/** The verdict, and the reader's options as long as it is open. */
export function ReceiptVerdict({ receipt }: { receipt: ReceiptBody }) {
  const refresh = useRefresh();
  const { receipt_id: id, mint_status: status } = receipt;
  const t = useTranslations('receipt');
  const failed = failedWords(receipt.last_error);
  return (
    <div className={`${styles['top'] ?? ''} stack`}>
      <Verdict of={{ kind: 'receipt', id }} state={status} failed={t(`failed.${failed.text}`)} />
      {status === 'pending' ? <MintProgress id={id} made="receipt" onEnd={refresh} /> : null}
      {status === 'failed' && failed.canRetry ? (
        <RetryMint
          failed={{ made: 'receipt', txSignature: receipt.tx_signature }}
          onStarted={refresh}
        />
      ) : null}
    </div>
  );
}

/**
 * The column beside the receipt: the evidence, how to check it elsewhere, actions, and the
 * locations of its parts.
 */
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
