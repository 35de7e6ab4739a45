import { serveTrpc } from '@/server/rest/serve-trpc';

export { serveTrpc as GET, serveTrpc as POST };
