import { Link } from "@remix-run/react";
import { Callout } from "~/components/ui/callout";
import { Time } from "~/components/ui/time";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import type { ShownTime } from "~/kernel/shown-time";

export interface ShownReturn {
  paymentId: string;
  amount: number;
  reference: string | null;
  reason: string | null;
  at: ShownTime;
}

/** The payee's last payment came back: said before a person pays it again. */
export function ReturnedPayment({ returned }: { returned: ShownReturn | null }) {
  if (!returned) return null;
  const { paymentId, amount, reference, reason, at } = returned;
  return (
    <Callout tone="danger" title="The last payment to this payee came back" className="mb-6">
      <Link to={appPaths.payment(paymentId)} className="font-medium text-accent-text underline underline-offset-2">
        {formatAud(amount)}
        {reference && `, ${reference}`}
      </Link>
      , failed <Time {...at} />: {reason ?? "no reason was given"}. Ask the payee, on a number you already know, whether
      the account is still right.
    </Callout>
  );
}
