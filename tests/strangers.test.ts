import { shareService } from './harness/shared-service';
import './strangers-quotes.spec';
import './bare-payments.spec';
import './memo-dust.spec';
import './upstream-faults.spec';

// Each spec uses its own wallets and removes the faults it sets. Strangers come from many
// addresses.
shareService({ TRUSTED_PROXY_HOPS: '1' });
