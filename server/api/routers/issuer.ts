import { issuerDocument } from '@quittance/verify/receipts/issuer-document';
import { procedure, router } from '../trpc';
import { readIssuer } from '../verbs/read-issuer';

export const issuerRouter = router({
  read: procedure.output(issuerDocument).query(({ ctx }) => readIssuer(ctx)),
});
