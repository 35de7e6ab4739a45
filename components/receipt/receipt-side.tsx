'use client';

import { useRouter } from 'next/navigation';
import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { useSite } from '../site-context';
import { Address } from '../ui/address';
import { Banner } from '../ui/banner';
import { Button, ButtonLink } from '../ui/button';
import { Facts } from '../ui/facts';
import { Sign } from '../ui/sign';
import { useToast } from '../ui/toast';
import { MintProgress } from './mint-progress';
import { ReceiptChecks } from './receipt-checks';
import styles from './receipt.module.css';

/** Beside the paper: whether it holds, what can be done with it, and where its parts are. */
export function ReceiptSide({ receipt }: { receipt: ReceiptBody }) {
  const router = useRouter();
  const { receipt_id: id, mint_status: status } = receipt;
  return (
    <div className={`${styles['side']} screen-only`}>
      {status === 'completed' ? <ReceiptChecks receiptId={id} /> : null}
      {status === 'pending' ? (
        <section className="stack" aria-label="State">
          <h2>The proof is being made</h2>
          <p className="muted">
            The receipt is written and will not change. Its proof on chain follows by itself,
            usually within a minute; you may close this page.
          </p>
          <MintProgress id={id} made="receipt" onEnd={() => router.refresh()} />
        </section>
      ) : null}
      {status === 'failed' ? (
        <Banner kind="error" title="The proof on chain could not be made" quiet>
          The payment and this receipt are not affected, and nothing more is charged
          {receipt.last_error ? `: ${receipt.last_error}` : ''}. Payer or seller can ask for the
          receipt again once an hour, which starts a new try.
        </Banner>
      ) : null}
      <Actions id={id} />
      <Technical receipt={receipt} />
    </div>
  );
}

function Actions({ id }: { id: string }) {
  const { publicUrl } = useSite();
  const toast = useToast();
  const url = `${publicUrl}/r/${id}`;
  const share = async () => {
    try {
      if (typeof navigator.share === 'function') {
        await navigator.share({ title: `Receipt ${id}`, url });
        return;
      }
      await navigator.clipboard.writeText(url);
      toast('Link copied');
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return;
      toast(`The browser did not allow it. The link is ${url}`);
    }
  };
  return (
    <section className="stack" aria-label="What you can do">
      <h2>Keep it, share it</h2>
      <div className="row">
        <Button onClick={share}>
          <Sign name="share" /> Share
        </Button>
        <ButtonLink href={`/receipt/${id}/image.png`} download={`receipt-${id}.png`}>
          <Sign name="down" /> PNG
        </ButtonLink>
        <ButtonLink href={`/receipt/${id}/metadata.json`} download={`receipt-${id}.json`}>
          <Sign name="down" /> JSON
        </ButtonLink>
        <Button onClick={() => window.print()}>
          <Sign name="print" /> Print
        </Button>
      </div>
    </section>
  );
}

function Technical({ receipt }: { receipt: ReceiptBody }) {
  const outside = (href: string, words: string) => (
    <a href={href} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
  return (
    <details className={styles['technical']}>
      <summary>Technical details</summary>
      <Facts
        facts={[
          ...(receipt.asset_id === null
            ? []
            : [
                { term: 'cNFT', value: <Address value={receipt.asset_id} label="Asset" /> },
                {
                  term: 'Mint',
                  value: (
                    <Address
                      value={receipt.mint_signature ?? ''}
                      kind="transaction"
                      label="Mint transaction"
                    />
                  ),
                },
                { term: 'Tree', value: <Address value={receipt.tree ?? ''} label="Tree" /> },
                { term: 'Leaf', value: String(receipt.leaf_index ?? '') },
              ]),
          { term: 'Slot', value: String(receipt.slot) },
          {
            term: 'Token mint',
            value:
              receipt.mint === null ? (
                'native SOL'
              ) : (
                <Address value={receipt.mint} label="Token mint" />
              ),
          },
          { term: 'Facts', value: outside(receipt.metadata_uri, 'on permanent storage') },
          { term: 'Picture', value: outside(receipt.image_uri, 'on permanent storage') },
          {
            term: 'Everything',
            value: <a href={`/receipt/${receipt.receipt_id}`}>as JSON</a>,
          },
        ]}
      />
    </details>
  );
}
