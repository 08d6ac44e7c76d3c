import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { appPaths } from "~/kernel/paths/app";
import type { ReviewPageData } from "./review-page";

interface DecidedCardProps {
  view: ReviewPageData["view"];
  backHref: string;
  /** This person has just decided it: the card takes the focus. */
  isJustDecided: boolean;
}

/** How a verification ended, by whom and why, and the way back. */
export function DecidedCard({ view, backHref, isJustDecided }: DecidedCardProps) {
  const { decision, payee } = view;
  const { ending } = view.words;
  const isDecided = ending !== null;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isJustDecided && isDecided) box.current?.focus();
  }, [isJustDecided, isDecided]);
  if (ending === null) return null;
  return (
    <div ref={box} tabIndex={-1} className="mb-6 scroll-mt-24 rounded-base">
      <Callout
        tone={ending.tone}
        title={ending.title}
        role="status"
        actions={
          <>
            <Button to={backHref} icon="arrowLeft">
              Back to pending verifications
            </Button>
            <Button to={appPaths.payee(payee.id)} variant="secondary">
              Go to the payee
            </Button>
            <Button to={appPaths.certificate(view.id)} variant="secondary" icon="shieldCheck">
              Certificate
            </Button>
          </>
        }
      >
        {view.grade && <p className="font-medium">{view.grade}.</p>}
        {ending.text && <p>{ending.text}</p>}
        {decision && (
          <p className="text-ink-soft">
            {decision.by ? `${decision.by}, ` : ""}
            <time dateTime={decision.at.dateTime}>{decision.at.exact}</time>
          </p>
        )}
        {decision?.reason && <blockquote className="border-line border-l-2 pl-3">{decision.reason}</blockquote>}
      </Callout>
    </div>
  );
}
