import { Badge, Link, linkClass } from "~/components/ui/elements";
import type { PaymentReason } from "~/modules/rules/payment-holds";

/** A reason from the rules and, optionally, its basis as text, and a link to what it is about. */
export type ShownReason = Pick<PaymentReason, "rule" | "level" | "message"> & {
  note?: string | null;
  link?: { to: string; label: string } | null;
};

/** Why a payment is held, or what to check before it is sent. Holding reasons come first. */
export function ReasonList({ reasons }: { reasons: readonly ShownReason[] }) {
  const sorted = [...reasons].sort((a, b) => Number(b.level === "hold") - Number(a.level === "hold"));
  return (
    <ul className="divide-y divide-line">
      {sorted.map((reason) => (
        <li
          key={reason.rule + reason.message}
          className="flex flex-wrap gap-x-4 gap-y-1.5 py-3 text-base first:pt-0 last:pb-0"
        >
          <span className="w-20 shrink-0">
            {reason.level === "hold" ? (
              <Badge tone="review" icon="pause">
                Hold
              </Badge>
            ) : (
              <Badge tone="pending" icon="alert">
                Warning
              </Badge>
            )}
          </span>
          <div className="min-w-0 flex-1 basis-60">
            <p>{reason.message}</p>
            {reason.note && <p className="figures mt-0.5 text-ink-soft text-sm">{reason.note}</p>}
            {reason.link && (
              <Link to={reason.link.to} className={linkClass}>
                {reason.link.label}
              </Link>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
