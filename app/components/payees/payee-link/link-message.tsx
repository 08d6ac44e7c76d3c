import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { WayOut } from "~/components/payees/payee-link/way-out";
import { type Tone, toneWash } from "~/components/ui/badge";
import { Icon, type IconName } from "~/components/ui/icons";

interface LinkMessageProps {
  tone: Tone;
  icon: IconName;
  title: string;
  children: ReactNode;
  /** What can still be done, before the way out. */
  action?: ReactNode;
}

/** A payee's page that has one thing to say: what happened, and the way out. */
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
