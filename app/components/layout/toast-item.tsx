import { useLocation, useNavigate } from "@remix-run/react";
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { Button, cx, Icon } from "~/components/ui/elements";
import { MessageIcon, messageCloseClass, messageSheetClass } from "./message-body";
import { keepsMessages, TOAST_DURATION_MS, TOAST_SWIPE_THRESHOLD_PX, type Toast, toasts } from "./toast-store";

/** A pointer movement shorter than this is a click. */
const SLOP_PX = 5;

/** Moves an element to the right with the pointer; released beyond the threshold it calls `dismiss`. */
function useSwipe(element: RefObject<HTMLElement>, dismiss: () => void) {
  const startX = useRef<number | null>(null);
  const moved = (event: PointerEvent) => (startX.current === null ? 0 : Math.max(0, event.clientX - startX.current));
  const place = (state: "move" | "cancel" | "end", px: number) => {
    if (!element.current) return;
    element.current.dataset.swipe = state;
    element.current.style.setProperty("--swipe-x", `${px}px`);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button === 0) startX.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent) => {
      const px = moved(event);
      if (px <= SLOP_PX) return;
      element.current?.setPointerCapture(event.pointerId);
      place("move", px);
    },
    onPointerUp: (event: PointerEvent) => {
      const px = moved(event);
      startX.current = null;
      if (px > TOAST_SWIPE_THRESHOLD_PX) {
        place("end", px);
        dismiss();
      } else if (px > SLOP_PX) place("cancel", 0);
    },
    onPointerCancel: () => {
      startX.current = null;
      place("cancel", 0);
    },
  };
}

/** One toast: it disappears after a time, by its button, Escape or a swipe, or when the person leaves its page. */
export function ToastItem({ toast }: { toast: Toast }) {
  const { id, tone, title, description, action, open } = toast;
  const item = useRef<HTMLDivElement>(null);
  const [isGone, setGone] = useState(false);
  const dismiss = () => toasts.dismiss(id);
  const pause = useCountdown(open, dismiss);
  useEndWithPage(dismiss);
  const swipe = useSwipe(item, dismiss);
  const navigate = useNavigate();
  if (isGone) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons are the controls; swipe and Escape come beside them
    <div
      ref={item}
      role={tone === "error" ? "alert" : undefined}
      data-state={open ? "open" : "closed"}
      className={cx("toast", messageSheetClass)}
      onAnimationEnd={() => !open && setGone(true)}
      onKeyDown={(event) => event.key === "Escape" && dismiss()}
      {...pause}
      {...swipe}
    >
      <MessageIcon tone={tone} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {description && <p className="mt-0.5 text-ink-soft">{description}</p>}
        {action && (
          <Button variant="secondary" size="sm" className="mt-2" onClick={() => navigate(action.href)}>
            {action.label}
          </Button>
        )}
      </div>
      <button type="button" className={messageCloseClass} onClick={dismiss}>
        <Icon name="x" className="size-4" />
        <span className="sr-only">Dismiss</span>
      </button>
    </div>
  );
}

/** Calls `end` after the display time, which pauses while the toast is hovered or has the focus. */
function useCountdown(isRunning: boolean, end: () => void) {
  const [isPaused, setPaused] = useState(false);
  const remainingMs = useRef(TOAST_DURATION_MS);
  const latestEnd = useLatest(end);
  useEffect(() => {
    if (!isRunning || isPaused) return;
    const startedAt = Date.now();
    const timer = setTimeout(() => latestEnd.current(), remainingMs.current);
    return () => {
      clearTimeout(timer);
      remainingMs.current -= Date.now() - startedAt;
    };
  }, [isRunning, isPaused, latestEnd]);
  const hold = () => setPaused(true);
  const resume = () => setPaused(false);
  return { onPointerEnter: hold, onPointerLeave: resume, onFocus: hold, onBlur: resume };
}

/** Calls `end` when the person goes to another page. */
function useEndWithPage(end: () => void) {
  const { pathname, state } = useLocation();
  const home = useRef(pathname);
  const latestEnd = useLatest(end);
  useEffect(() => {
    if (pathname === home.current) return;
    if (keepsMessages(state)) home.current = pathname;
    else latestEnd.current();
  }, [pathname, state, latestEnd]);
}

function useLatest<T>(value: T): RefObject<T> & { current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
