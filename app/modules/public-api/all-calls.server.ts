import type { Call } from "./call";
import { ACCOUNT_CALLS, BILLING_CALLS } from "./calls/account.calls.server";
import { BULK_CHECK_CALLS } from "./calls/bulk-checks.calls.server";
import { CONNECTION_CALLS } from "./calls/connections.calls.server";
import { FILE_CALLS } from "./calls/files.calls.server";
import { OPEN_CALLS } from "./calls/open.calls.server";
import { PAYEE_REQUEST_CALLS } from "./calls/payee-requests.calls.server";
import { PAYEE_CALLS } from "./calls/payees.calls.server";
import { PAYMENT_CALLS } from "./calls/payments.calls.server";
import { AUDIT_CALLS, IMPORT_CALLS } from "./calls/records.calls.server";
import { VERIFICATION_CALLS } from "./calls/verifications.calls.server";

/** Every call of the API, in the order in which it is read. A test holds them against the routes. */
export const CALLS: readonly Call[] = [
  ...PAYEE_CALLS,
  ...PAYEE_REQUEST_CALLS,
  ...VERIFICATION_CALLS,
  ...BULK_CHECK_CALLS,
  ...PAYMENT_CALLS,
  ...FILE_CALLS,
  ...IMPORT_CALLS,
  ...CONNECTION_CALLS,
  ...AUDIT_CALLS,
  ...ACCOUNT_CALLS,
  ...BILLING_CALLS,
  ...OPEN_CALLS,
];
