import { afterAll } from 'vitest';
import { sharedService } from './harness/shared-service';
import './listing.spec';
import './mint-requests.spec';
import './every-leg.spec';
import './memo-agents.spec';
import './money-claims.spec';
import './trpc-transport.spec';

// The first one counts what the service asks the chain, before jobs of the others run beside it.
// None of these changes a setting, or leaves a fault behind that another one would meet: one service for all.
afterAll(async () => (await sharedService()).close());
