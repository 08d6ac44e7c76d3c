import { StatusBadge } from "~/components/ui/status-badge";
import type { PayeeStatus } from "~/kernel/payee";

/** How far a payee is trusted; where its verification ended badly, how. */
export function PayeeStatusBadge({ status }: { status: PayeeStatus }) {
  return status === "rejected" || status === "failed" ? (
    <StatusBadge of="verification" status={status} />
  ) : (
    <StatusBadge of="payee" status={status} />
  );
}
