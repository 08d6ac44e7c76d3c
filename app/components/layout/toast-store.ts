import { useEffect } from "react";

/** A short message about an action, carried by the flash cookie and shown as a toast. */
export interface FlashMessage {
  tone: "success" | "error" | "info";
  title: string;
  description?: string;
  action?: { label: string; href: string };
}

export interface Toast extends FlashMessage {
  id: number;
  open: boolean;
}

/** Only one toast at a time (specification section 9). */
const TOAST_LIMIT = 1;
export const TOAST_DURATION_MS = 5000;
/** How long a dismissed toast stays in the store. */
export const TOAST_REMOVE_DELAY_MS = 1_000_000;
/** How far a swipe must go to dismiss. */
export const TOAST_SWIPE_THRESHOLD_PX = 50;
/** The key that moves the focus to the toasts. */
export const TOAST_HOTKEY = "F8";

export interface ToastStore {
  /** Shows a message in place of the present one. Returns its id. */
  show(message: FlashMessage): number;
  /** Closes a toast; it leaves the store after the removal delay. */
  dismiss(id: number): void;
  get(): readonly Toast[];
  subscribe(listener: () => void): () => void;
}

/** A store of toasts. `schedule` is setTimeout, or a test's clock. */
export function createToastStore(schedule: (act: () => void, delayMs: number) => void): ToastStore {
  let toasts: readonly Toast[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const set = (next: readonly Toast[]) => {
    toasts = next;
    for (const listener of listeners) listener();
  };
  return {
    show(message) {
      lastId += 1;
      set([{ ...message, id: lastId, open: true }, ...toasts].slice(0, TOAST_LIMIT));
      return lastId;
    },
    dismiss(id) {
      const open = toasts.some((toast) => toast.id === id && toast.open);
      if (!open) return;
      set(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)));
      schedule(() => set(toasts.filter((toast) => toast.id !== id)), TOAST_REMOVE_DELAY_MS);
    },
    get: () => toasts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The page's only store. Only browser code shows toasts: the server's messages use the flash cookie. */
export const toasts = createToastStore((act, delayMs) => {
  setTimeout(act, delayMs);
});

/**
 * Shows a form's answer as a toast, if scripts run; the message beside the form stays. Each new `answer` object is
 * shown once. Pass `undefined` as the message if an answer needs no toast.
 *
 * @example useToast(answer, answer && { tone: "error", title: answer.title, description: answer.formErrors[0] });
 */
export function useToast(answer: object | null | undefined, message: FlashMessage | null | undefined): void {
  // The message belongs to the answer: drawn again, it is the same message in a new object.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer is news
  useEffect(() => {
    if (answer && message) toasts.show(message);
  }, [answer]);
}

/** For `navigate(to, { state: KEEP_MESSAGES })`: automatic, so the message stays for its full time. */
export const KEEP_MESSAGES = { keepMessages: true } as const;

export const keepsMessages = (state: unknown): boolean =>
  typeof state === "object" && state !== null && "keepMessages" in state;
