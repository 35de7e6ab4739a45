/**
 * The same answer with its length told: what is known to be short is not compressed, which costs more than
 * it saves. For answers that a library made; reads the body whole.
 */
export async function withLength(response: Response): Promise<Response> {
  const { status, headers } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length === 0) return new Response(null, { status, headers });
  headers.set('Content-Length', String(bytes.length));
  return new Response(bytes, { status, headers });
}
