import { ButtonLink } from '@/components/ui/button';

export default function ReceiptNotFound() {
  return (
    <main className="stack">
      <h1>There is no such receipt</h1>
      <p className="lead">
        No receipt has this number. It has 12 characters, digits and capital letters without I, L, O
        and U: compare it with the one on the receipt.
      </p>
      <div className="row">
        <ButtonLink href="/">Create a receipt</ButtonLink>
      </div>
    </main>
  );
}
