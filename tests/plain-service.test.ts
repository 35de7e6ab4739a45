import { shareService } from './harness/shared-service';
import './listing.spec';
import './mint-requests.spec';
import './every-leg.spec';
import './memo-agents.spec';
import './money-claims.spec';
import './trpc-transport.spec';

// `listing.spec` comes first: it counts what the service asks the chain, before jobs of the others run.
// No spec changes a setting or leaves a fault behind, so one service serves all.
shareService();
