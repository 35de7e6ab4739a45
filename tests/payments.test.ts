import { shareService } from './harness/shared-service';
import { DESK_TOKEN, OPERATORS } from './harness/desk-tokens';
import './payments-documented.spec';
import './payment-desk.spec';
import './printed-admin.spec';

// Payments as clients send them, and the operator who looks them up and refunds them.
shareService({ ADMIN_TOKEN: DESK_TOKEN, ADMIN_TOKENS: OPERATORS });
