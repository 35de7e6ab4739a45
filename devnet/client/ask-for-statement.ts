/** POST /statement of a service with the given headers. */
export function askForStatement(
  baseUrl: string,
  o: { body: object; headers?: Record<string, string> },
): Promise<Response> {
  return fetch(new URL('/statement', baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...o.headers },
    body: JSON.stringify(o.body),
  });
}
