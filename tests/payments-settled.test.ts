import { shareService } from './harness/shared-service';
import './payments-exact.spec';
import './x402-clients.spec';
import './restarts.spec';

// Blockhashes live for 45 s here: long enough for payments that the service sends, and for
// restarts.
shareService({ DEVNET_SLOT_MS: '300', DEVNET_FINALITY_SLOTS: '2' });
