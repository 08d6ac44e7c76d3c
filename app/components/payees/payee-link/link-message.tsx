import type { ReactNode } from "react";
import { Button, cx, Icon, type IconName, type Tone, toneWash } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";

interface LinkMessageProps {
  tone: Tone;
  icon: IconName;
  title: string;
  children: ReactNode;
  /** What can still be done, shown before the exit link. */
  action?: ReactNode;
}

/** A payee's page with a single message: what happened, and an exit link. */
export function LinkMessage({ tone, icon, title, children, action }: LinkMessageProps) {
  return (
    <div>
      <span className={cx("grid size-12 place-items-center rounded-full border", toneWash[tone])}>
        <Icon name={icon} className="size-6" />
      </span>
      <h1 id="page-title" tabIndex={-1} className="display mt-5 text-2xl sm:text-3xl">
        {title}
      </h1>
      <div className="mt-3 grid max-w-[56ch] gap-3 text-ink-soft text-md">{children}</div>
      {action && <div className="mt-6">{action}</div>}
      <WayOut quiet={Boolean(action)} />
    </div>
  );
}

/** Advice for suppliers who suspect a scam, at the bottom of all their pages. */
export function PayeeFooter({ organizationName }: { organizationName?: string | null }) {
  const asking = organizationName ?? "the organisation that asked you";
  return (
    <>
      <p>In doubt? Call {asking} on a number you already know, not one from the message.</p>
      <p>
        PayeeProof shows your answer, and what you share from your bank, to {asking} only. We never ask for a password
        or a payment.{" "}
        <a href={sitePaths.privacy} className="underline underline-offset-2">
          How we handle your information
        </a>
      </p>
    </>
  );
}

/** The link that the specification requires on every page for payees. */
export function WayOut({ quiet }: { quiet?: boolean }) {
  return (
    <div className="mt-8 border-line border-t pt-5">
      <Button to={sitePaths.signIn} variant={quiet ? "quiet" : "secondary"} reloadDocument>
        Go to PayeeProof
      </Button>
    </div>
  );
}
