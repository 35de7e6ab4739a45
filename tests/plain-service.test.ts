import { afterAll } from 'vitest';
import { sharedService } from './harness/shared-service';
import './every-leg.spec';
import './listing.spec';
import './memo-agents.spec';
import './mint-requests.spec';
import './money-claims.spec';
import './trpc-transport.spec';

// None of these changes a setting, or leaves a fault behind that another one would meet: one service for all.
afterAll(async () => (await sharedService()).close());
