import { type QueueView, reviewHref, WATCH } from "./pending-address";

/** How a page without a script follows a bank check that runs. Pure. */

const REFRESH_SECONDS = 30;

export type WatchView = {
  /** Null: the page holds forms, and loading it again would lose what is typed in them. */
  refreshSeconds: number | null;
  text: string;
  link: { href: string; label: string } | null;
};

/**
 * @param isWatching the forms are left out, because the reader asked for that or may not change anything
 * @param canStop the reader may have the forms back
 */
export function toWatchView(
  id: string,
  queue: QueueView,
  { isWatching, canStop }: { isWatching: boolean; canStop: boolean },
): WatchView {
  if (!isWatching) {
    return {
      refreshSeconds: null,
      text: "A bank check runs. This page does not load itself again, so that nothing you type is lost.",
      link: { href: reviewHref(id, queue, { [WATCH]: "yes" }), label: "Watch for the bank's answer" },
    };
  }
  return {
    refreshSeconds: REFRESH_SECONDS,
    text: `A bank check runs. This page loads itself again every ${REFRESH_SECONDS} seconds until it ends.`,
    link: canStop ? { href: reviewHref(id, queue), label: "Stop, and show the forms" } : null,
  };
}
