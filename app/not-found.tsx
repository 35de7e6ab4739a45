export default function NotFound() {
  return (
    <main>
      <h1>Nothing here</h1>
      <p className="lead">There is no page at this address. Check it for a typing error.</p>
    </main>
  );
}
