/**
 * Marks an answer that a session may have shaped: nothing between keeps it, whoever signs in next on the
 * same machine does not see it, and no foreign page may read it. Refusals too: they tell who is signed in.
 */
export function privateAnswer(response: Response): Response {
  response.headers.set('Cache-Control', 'no-store');
  response.headers.append('Vary', 'Cookie');
  response.headers.delete('Access-Control-Allow-Origin');
  return response;
}
