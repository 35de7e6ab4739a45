import { ButtonLink } from '@/components/ui/button';

export const metadata = { title: 'Nothing here' };

export default function NotFound() {
  return (
    <main className="stack">
      <h1>Nothing here</h1>
      <p className="lead">There is no page at this address. Check it for a typing error.</p>
      <div className="row">
        <ButtonLink href="/">Create a receipt</ButtonLink>
        <ButtonLink href="/docs" variant="quiet">
          Read the docs
        </ButtonLink>
      </div>
    </main>
  );
}
