/** The JSON body of an answer with the `expected` status. Throws, with the body, for any other. */
export async function readAnswer(response: Response, expected: number): Promise<unknown> {
  const body: unknown = await response.json();
  if (response.status === expected) return body;
  const path = new URL(response.url).pathname;
  throw new Error(`${path} answers ${response.status}: ${JSON.stringify(body)}`);
}
