import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { Icon, type IconName } from "~/components/ui/icons";

/** The three states that people know (verified, pending, review) and two neutral tones. */
export type Tone = "verified" | "pending" | "review" | "neutral" | "info";

const toneIcon: Record<Tone, IconName> = {
  verified: "checkCircle",
  pending: "clock",
  review: "flag",
  neutral: "dash",
  info: "info",
};

/** The background, text and border of each tone. */
export const toneWash: Record<Tone, string> = {
  verified: "bg-verified-wash text-verified border-verified-line",
  pending: "bg-pending-wash text-pending border-pending-line",
  review: "bg-review-wash text-review border-review-line",
  neutral: "bg-sunken text-ink-soft border-line",
  info: "bg-accent-wash text-accent-text border-accent-text/20",
};

/** The text colour of each tone, for figures and icons outside a badge. */
export const toneText: Record<Tone, string> = {
  verified: "text-verified",
  pending: "text-pending",
  review: "text-review",
  neutral: "text-ink-soft",
  info: "text-accent-text",
};

/** A brighter colour of each tone for graphics, 3:1 on every background; never for text. */
export const toneFill: Record<Tone, string> = {
  verified: "text-verified-fill",
  pending: "text-pending-fill",
  review: "text-review-fill",
  neutral: "text-control",
  info: "text-accent",
};

/** A state as an icon and a word, because colour must never be the only sign. */
export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={cx("badge", toneWash[tone])}>
      <Icon name={icon ?? toneIcon[tone]} className="size-3.5" />
      {children}
    </span>
  );
}
