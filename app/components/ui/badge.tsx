import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { Icon, type IconName } from "~/components/ui/icons";

/** The three states people know (verified, pending, review) and two tones that judge nothing. */
export type Tone = "verified" | "pending" | "review" | "neutral" | "info";

const toneIcon: Record<Tone, IconName> = {
  verified: "checkCircle",
  pending: "clock",
  review: "flag",
  neutral: "dash",
  info: "info",
};

/** Wash, text and edge of a tone. */
export const toneWash: Record<Tone, string> = {
  verified: "bg-verified-wash text-verified border-verified-line",
  pending: "bg-pending-wash text-pending border-pending-line",
  review: "bg-review-wash text-review border-review-line",
  neutral: "bg-sunken text-ink-soft border-line",
  info: "bg-accent-wash text-accent-text border-accent-text/20",
};

/** Text colour of a tone, for figures and icons that are outside a badge. */
export const toneText: Record<Tone, string> = {
  verified: "text-verified",
  pending: "text-pending",
  review: "text-review",
  neutral: "text-ink-soft",
  info: "text-accent-text",
};

/** A brighter colour of a tone for drawings, 3:1 on every ground; never for text. */
export const toneFill: Record<Tone, string> = {
  verified: "text-verified-fill",
  pending: "text-pending-fill",
  review: "text-review-fill",
  neutral: "text-control",
  info: "text-accent",
};

/** A state as icon and word; colour is never the only sign. */
export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={cx("badge", toneWash[tone])}>
      <Icon name={icon ?? toneIcon[tone]} className="size-3.5" />
      {children}
    </span>
  );
}
