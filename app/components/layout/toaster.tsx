import * as RadixToast from "@radix-ui/react-toast";
import { Link } from "@remix-run/react";
import { useSyncExternalStore } from "react";
import { cx } from "~/components/cx";
import { messageCornerClass } from "~/components/layout/flash-banner";
import {
  MessageIcon,
  messageActionClass,
  messageCloseClass,
  messageSheetClass,
} from "~/components/layout/message-body";
import {
  TOAST_DURATION_MS,
  TOAST_HOTKEY,
  TOAST_SWIPE_THRESHOLD_PX,
  type Toast,
  toasts,
} from "~/components/layout/toast-store";
import { Icon } from "~/components/ui/icons";

const none: readonly Toast[] = [];

/** Draws the store's toasts. Rendered in the browser only. */
export function Toaster() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get, () => none);
  return (
    <RadixToast.Provider duration={TOAST_DURATION_MS} swipeThreshold={TOAST_SWIPE_THRESHOLD_PX} swipeDirection="right">
      {shown.map((toast) => (
        <RadixToast.Root
          key={toast.id}
          open={toast.open}
          onOpenChange={(open) => !open && toasts.dismiss(toast.id)}
          type={toast.tone === "error" ? "foreground" : "background"}
          className={cx("toast", messageSheetClass)}
        >
          <MessageIcon tone={toast.tone} />
          <div className="min-w-0 flex-1">
            <RadixToast.Title className="font-semibold">{toast.title}</RadixToast.Title>
            {toast.description && (
              <RadixToast.Description className="mt-0.5 text-ink-soft">{toast.description}</RadixToast.Description>
            )}
            {toast.action && (
              <RadixToast.Action asChild altText={toast.action.label}>
                <Link to={toast.action.href} className={messageActionClass}>
                  {toast.action.label}
                </Link>
              </RadixToast.Action>
            )}
          </div>
          <RadixToast.Close className={messageCloseClass}>
            <Icon name="x" className="size-4" />
            <span className="sr-only">Dismiss</span>
          </RadixToast.Close>
        </RadixToast.Root>
      ))}
      <RadixToast.Viewport hotkey={[TOAST_HOTKEY]} label="Messages ({hotkey})" className={messageCornerClass} />
    </RadixToast.Provider>
  );
}
