import { shareService } from './harness/shared-service';
import './export.spec';
import './transactions.spec';
import './printed-requests.spec';
import './values.spec';

// These specs read, value and export, or make receipts of wallets of their own. They change no
// setting and no state of each other, so one service serves all. values.spec is the last, because
// its last test stops the chain.
shareService();
