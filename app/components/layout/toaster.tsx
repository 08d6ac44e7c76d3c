import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { messageCornerClass } from "~/components/layout/flash-banner";
import { TOAST_HOTKEY, type Toast, toasts } from "~/components/layout/toast-store";

const none: readonly Toast[] = [];

/** Draws the store's toasts. Rendered in the browser only; F8 moves the focus here. */
export function Toaster() {
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
      className={messageCornerClass}
    >
      <div aria-live="polite">{Item && shown.map((toast) => <Item key={toast.id} toast={toast} />)}</div>
    </section>
  );
}

type Item = ComponentType<{ toast: Toast }>;

/** What a toast looks like is loaded after the page itself, before there is one: a lost connection is told by a toast too. */
function useToastItem(): Item | undefined {
  const [loaded, setLoaded] = useState<{ Item: Item }>();
  useEffect(() => {
    let isWanted = true;
    import("~/components/layout/toast-item").then(
      ({ ToastItem }) => isWanted && setLoaded({ Item: ToastItem }),
      () => {}, // Every message that matters is in the page too.
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return loaded?.Item;
}
