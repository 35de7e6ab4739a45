import { shareService } from './harness/shared-service';
import './statements.spec';
import './payments-races.spec';

// Blockhashes live for 45 s, for payments that the service sends. More connections for races.
shareService({ DEVNET_SLOT_MS: '300', DATABASE_POOL: '20' });
