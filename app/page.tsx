import { env } from '@/server/env';

const PATHS = [
  ['POST /mint', 'create the receipt of a payment'],
  ['GET /mint/status/{receipt_id}', 'follow its proof on chain'],
  ['GET /receipt/{receipt_id}', 'read a receipt'],
  ['GET /receipt/{receipt_id}/metadata.json', 'the document on permanent storage'],
  ['GET /receipt/{receipt_id}/image.png', 'its picture'],
  ['GET /verify/{tx_signature}', 'read a payment from the chain'],
  ['GET /.well-known/quittance.json', 'the keys and trees to check a receipt against'],
  ['GET /health', 'whether the service can do its job'],
] as const;

export default function HomePage() {
  const { serviceName } = env();
  return (
    <main>
      <h1>Quittance</h1>
      <p className="lead">
        Give it the signature of a payment on Solana, and it writes a receipt that anyone can check.
      </p>
      <section aria-labelledby="paths">
        <h2 id="paths">What it answers</h2>
        <dl>
          {PATHS.map(([path, use]) => (
            <div key={path}>
              <dt>
                <code>{path}</code>
              </dt>
              <dd>{use}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="proof">
        <h2 id="proof">Proving your wallet</h2>
        <p>
          A free receipt is for the payer or the seller. Sign the text{' '}
          <code>{serviceName}:&#123;tx_signature&#125;</code> with that wallet and send{' '}
          <code>X-Wallet-Address</code> and <code>X-Wallet-Signature</code>.
        </p>
      </section>
    </main>
  );
}
