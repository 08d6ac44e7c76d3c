import { useLocation } from "@remix-run/react";
import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Icon, Link } from "~/components/ui/elements";
import { useHydrated } from "~/components/use-hydrated";
import { MessageIcon, messageActionClass, messageCloseClass, messageSheetClass } from "./message-body";
import { type FlashMessage, TOAST_HOTKEY, type Toast, toasts, useToast } from "./toast-store";

/** The message as the server renders it. Dismiss links to the same page, where the message no longer appears. */
function FlashBanner({ flash }: { flash: FlashMessage }) {
  const { pathname, search } = useLocation();
  return (
    <div role="status" data-screen-only className="mx-auto my-4 w-[min(40rem,calc(100%-2rem))] scripted:message-corner">
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

const none: readonly Toast[] = [];

/** Shows the store's toasts. Only in the browser; F8 moves the focus here. */
function Toaster() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get, () => none);
  const region = useRef<HTMLElement>(null);
  const Item = useToastItem();
  useEffect(() => {
    const focus = (event: KeyboardEvent) => event.key === TOAST_HOTKEY && region.current?.focus();
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  return (
    <section
      ref={region}
      aria-label={`Messages (${TOAST_HOTKEY})`}
      tabIndex={-1}
      data-screen-only
      className="message-corner"
    >
      <div aria-live="polite">{Item && shown.map((toast) => <Item key={toast.id} toast={toast} />)}</div>
    </section>
  );
}

type Item = ComponentType<{ toast: Toast }>;

/** The toast component is loaded before it is needed, because a lost connection is reported by a toast too. */
function useToastItem(): Item | undefined {
  const [loaded, setLoaded] = useState<{ Item: Item }>();
  useEffect(() => {
    let isWanted = true;
    import("~/components/layout/toast-item").then(
      ({ ToastItem }) => isWanted && setLoaded({ Item: ToastItem }),
      () => {}, // Ignored: every important message is also in the page.
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return loaded?.Item;
}

/**
 * The only place where messages appear. The server renders the flash message as a banner; with scripts, a toast
 * replaces it. Each new flash object from the root loader is shown once.
 */
export function Messages({ flash }: { flash: FlashMessage | null | undefined }) {
  const hydrated = useHydrated();
  useToast(flash, flash);
  if (hydrated) return <Toaster />;
  return flash ? <FlashBanner flash={flash} /> : null;
}
