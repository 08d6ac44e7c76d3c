import { StatusBadge } from "~/components/ui/status-badge";
import { VerdictBadge } from "~/components/verifying/verdict-badge";
import type { PayeeStatus } from "~/kernel/payee";
import type { PayeeHeadline } from "~/modules/payees/payee-standing";

interface PayeeStatusBadgeProps {
  status: PayeeStatus;
  headline: PayeeHeadline;
}

/** Shows a warning if there is one, then the state of an open or failed verification, otherwise the trust status. */
export function PayeeStatusBadge({ status, headline: { verdict, isRed } }: PayeeStatusBadgeProps) {
  if (verdict === null) return <Status status={status} />;
  const isTrusted = status === "whitelisted" || status === "verified";
  return (
    <span className="flex flex-wrap items-center gap-1.5" data-red={isRed || undefined}>
      <VerdictBadge verdict={verdict} />
      {isTrusted && <Status status={status} />}
    </span>
  );
}

function Status({ status }: Pick<PayeeStatusBadgeProps, "status">) {
  return status === "rejected" || status === "failed" ? (
    <StatusBadge of="verification" status={status} />
  ) : (
    <StatusBadge of="payee" status={status} />
  );
}
