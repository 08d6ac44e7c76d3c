import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import { Callout, type CalloutTone } from "~/components/ui/callout";
import { appPaths } from "~/kernel/paths/app";
import type { ReviewView } from "~/modules/review/review.view";

const LOOKS: Record<"verified" | "rejected" | "failed", { tone: CalloutTone; title: string }> = {
  verified: { tone: "success", title: "Verification Approved" },
  rejected: { tone: "danger", title: "Verification Rejected" },
  failed: { tone: "danger", title: "Verification Failed" },
};

interface DecidedCardProps {
  view: ReviewView;
  backHref: string;
  /** This person has just decided it: the card takes the focus. */
  isJustDecided: boolean;
}

/** How a verification ended, by whom and why, and the way back. */
export function DecidedCard({ view, backHref, isJustDecided }: DecidedCardProps) {
  const { status, decision, payee } = view;
  const isDecided = status !== "pending";
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isJustDecided && isDecided) box.current?.focus();
  }, [isJustDecided, isDecided]);
  if (status === "pending") return null;
  const { tone, title } = LOOKS[status];
  return (
    <div ref={box} tabIndex={-1} className="mb-6 scroll-mt-24 rounded-base">
      <Callout
        tone={tone}
        title={title}
        role="status"
        actions={
          <>
            <Button to={backHref} icon="arrowLeft">
              Back to pending verifications
            </Button>
            <Button to={appPaths.payee(payee.id)} variant="secondary">
              Go to the payee
            </Button>
          </>
        }
      >
        {status === "failed" && <p>{view.reason}</p>}
        {status === "verified" && (
          <p>{payee.name} is on the whitelist: payments to these details are answered at once.</p>
        )}
        {status === "rejected" && decision?.reason && <p>Reason: {decision.reason}</p>}
        {decision && (
          <p className="text-ink-soft">
            {decision.by ? `${decision.by}, ` : ""}
            <time dateTime={decision.at.dateTime}>{decision.at.exact}</time>
          </p>
        )}
      </Callout>
    </div>
  );
}
