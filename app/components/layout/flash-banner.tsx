import { useLocation } from "@remix-run/react";
import {
  MessageIcon,
  messageActionClass,
  messageCloseClass,
  messageSheetClass,
} from "~/components/layout/message-body";
import type { FlashMessage } from "~/components/layout/toast-store";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";

/**
 * Where messages stand when scripts run: bottom right, clear of the heading and the badges they speak of. Without
 * scripts they are in the page.
 */
export const messageCornerClass = "fixed right-4 bottom-4 z-50 w-[min(26rem,calc(100vw-2rem))]";

/** The message as the server draws it. Dismiss leads to this same page, where the message is already spent. */
export function FlashBanner({ flash }: { flash: FlashMessage }) {
  const { pathname, search } = useLocation();
  return (
    <div
      role="status"
      data-screen-only
      className="mx-auto my-4 w-[min(40rem,calc(100%-2rem))] scripted:fixed scripted:right-4 scripted:bottom-4 scripted:z-50 scripted:m-0 scripted:w-[min(26rem,calc(100vw-2rem))]"
    >
      <div className={messageSheetClass}>
        <MessageIcon tone={flash.tone} />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{flash.title}</p>
          {flash.description && <p className="mt-0.5 text-ink-soft">{flash.description}</p>}
          {flash.action && (
            <Link to={flash.action.href} className={messageActionClass}>
              {flash.action.label}
            </Link>
          )}
        </div>
        <Link to={pathname + search} replace className={messageCloseClass}>
          <Icon name="x" className="size-4" />
          <span className="sr-only">Dismiss</span>
        </Link>
      </div>
    </div>
  );
}
