import { headers } from 'next/headers';
import { dayOf } from '@/server/rates/day';
import { createCaller } from './app-router';
import { requestContext } from './request-context';
import { serviceContext } from './service-context';

/** The procedures as a page calls them, in this process and for the reader who asked for it. */
export async function pageCaller(): Promise<ReturnType<typeof createCaller>> {
  return createCaller(requestContext(await headers()));
}

/** The UTC day of now, for what a page offers to begin with. */
export function pageToday(): string {
  return dayOf(serviceContext().clock.now());
}
