import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { useErrorTitle } from "~/components/layout/page-title";
import { type Tone, toneText } from "~/components/ui/badge";
import { Icon, type IconName } from "~/components/ui/icons";

export type CalloutTone = "info" | "warning" | "danger" | "success";

const looks: Record<CalloutTone, { icon: IconName; box: string; tone: Tone; word: string }> = {
  info: { icon: "info", box: "bg-accent-wash/60 border-accent-text/20", tone: "info", word: "Note" },
  warning: { icon: "alert", box: "bg-pending-wash border-pending-line", tone: "pending", word: "Warning" },
  danger: { icon: "flag", box: "bg-review-wash border-review-line", tone: "review", word: "Important" },
  success: { icon: "checkCircle", box: "bg-verified-wash border-verified-line", tone: "verified", word: "Done" },
};

interface CalloutProps {
  tone: CalloutTone;
  title?: ReactNode;
  icon?: IconName;
  /** Buttons or links under the text. */
  actions?: ReactNode;
  /**
   * `alert` for what just went wrong (the title says so too), `status` for what just succeeded; absent for permanent
   * advice.
   */
  role?: "alert" | "status";
  children?: ReactNode;
  className?: string;
}

/** A message that stays on the page: what happened, why, and what to do next. */
export function Callout({ tone, title, icon, actions, role, children, className }: CalloutProps) {
  const look = looks[tone];
  useErrorTitle(role === "alert");
  return (
    <div
      role={role}
      className={cx("flex gap-3 rounded-base p-4 text-base border @max-[18rem]/main:flex-col", look.box, className)}
    >
      <Icon name={icon ?? look.icon} className={cx("mt-px", toneText[look.tone])} />
      <div className="min-w-0 flex-1">
        <span className="sr-only">{look.word}: </span>
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={cx("max-w-[70ch]", title ? "mt-1" : undefined)}>{children}</div>}
        {actions && (
          <div data-screen-only className="mt-3 flex flex-wrap gap-2">
            {actions}
          </div>
        )}
      </div>
    </div>
  );
}
