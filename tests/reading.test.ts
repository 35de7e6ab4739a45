import { shareService } from './harness/shared-service';
import './export.spec';
import './transactions.spec';
import './values.spec';

// What is read, valued and exported changes no setting and no state of another's: one service for all.
shareService();
