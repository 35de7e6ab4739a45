import { headers } from 'next/headers';
import { createCaller } from './app-router';
import { requestContext } from './request-context';

/** The procedures as a page calls them, in this process and for the reader who asked for it. */
export async function pageCaller(): Promise<ReturnType<typeof createCaller>> {
  return createCaller(requestContext(await headers()));
}
