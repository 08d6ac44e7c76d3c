import type { ReactNode } from "react";
import { cx, Icon, type IconName } from "./elements";

export interface EmptyStateProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** `done` for an emptied queue (good news), `plain` when nothing was ever there. */
  mood?: "plain" | "done";
  headingLevel?: 2 | 3;
}

/** Shown in place of an empty list. */
export function EmptyState({ icon, title, children, action, mood = "plain", headingLevel = 2 }: EmptyStateProps) {
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span
        className={cx(
          "grid size-12 place-items-center rounded-full border",
          mood === "done"
            ? "bg-verified-wash text-verified border-verified-line"
            : "bg-sunken text-ink-soft border-line",
        )}
      >
        <Icon name={icon} className="size-6" />
      </span>
      <Heading className="mt-4 font-semibold text-lg tracking-[-0.01em]">{title}</Heading>
      {children && <div className="mt-1 max-w-[46ch] text-base text-ink-soft">{children}</div>}
      {action && (
        <div data-screen-only className="mt-5 flex flex-wrap justify-center gap-2">
          {action}
        </div>
      )}
    </div>
  );
}
