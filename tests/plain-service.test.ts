import { shareService } from './harness/shared-service';
import './listing.spec';
import './mint-requests.spec';
import './every-leg.spec';
import './memo-agents.spec';
import './api-docs.spec';
import './money-claims.spec';
import './trpc-transport.spec';
import './shown-wallet.spec';

// `listing.spec` comes first, because it counts calls to the chain before jobs of the others run.
// No spec changes a setting or leaves a fault behind, so one service serves all.
shareService();
