import { cx, Icon, type IconName, type Tone, toneText } from "~/components/ui/elements";
import type { FlashMessage } from "./toast-store";

const looks: Record<FlashMessage["tone"], { icon: IconName; tone: Tone }> = {
  success: { icon: "checkCircle", tone: "verified" },
  error: { icon: "alert", tone: "review" },
  info: { icon: "info", tone: "info" },
};

/** The panel of both the banner and the toast. */
export const messageSheetClass =
  "flex w-full items-start gap-3 rounded-base bg-surface p-4 text-base text-ink shadow-lift border border-line";

export function MessageIcon({ tone }: { tone: FlashMessage["tone"] }) {
  const look = looks[tone];
  return <Icon name={look.icon} className={cx("mt-px", toneText[look.tone])} />;
}

/** The class of a message's action, a link in both forms. */
export const messageActionClass =
  "mt-2 inline-flex min-h-6 items-center font-medium text-accent-text underline underline-offset-2";

/** The class of the button that closes a message. */
export const messageCloseClass =
  "-m-1.5 grid size-8 shrink-0 place-items-center rounded-base text-ink-soft hover:bg-sunken hover:text-ink";
