import { VerdictBadge } from "~/components/review/verdict-badge";
import { StatusBadge } from "~/components/ui/status-badge";
import type { PayeeStatus } from "~/kernel/payee";
import type { VerdictLook } from "~/modules/verifications/verdict";

interface PayeeStatusBadgeProps {
  status: PayeeStatus;
  /** Of the payee's open verification, where the page knows it: it says more than that one is pending. */
  verdict?: VerdictLook | null;
}

/** How far a payee is trusted; where its verification is open or ended badly, how that stands. */
export function PayeeStatusBadge({ status, verdict }: PayeeStatusBadgeProps) {
  if (status === "pending" && verdict) return <VerdictBadge verdict={verdict} />;
  return status === "rejected" || status === "failed" ? (
    <StatusBadge of="verification" status={status} />
  ) : (
    <StatusBadge of="payee" status={status} />
  );
}
