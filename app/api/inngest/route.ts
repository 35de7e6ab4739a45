import type { NextRequest } from 'next/server';
import { jobsHandler } from '@/server/jobs/serve';

export const GET = (request: NextRequest, context: unknown) => jobsHandler().GET(request, context);
export const POST = (request: NextRequest, context: unknown) =>
  jobsHandler().POST(request, context);
export const PUT = (request: NextRequest, context: unknown) => jobsHandler().PUT(request, context);
