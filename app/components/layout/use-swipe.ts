import { type PointerEvent, type RefObject, useRef } from "react";
import { TOAST_SWIPE_THRESHOLD_PX } from "~/components/layout/toast-store";

/** A press that moved less than this is a click. */
const SLOP_PX = 5;

/** Moves an element to the right with the pointer; let go beyond the threshold, it calls `dismiss`, and else goes back. */
export function useSwipe(element: RefObject<HTMLElement>, dismiss: () => void) {
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
