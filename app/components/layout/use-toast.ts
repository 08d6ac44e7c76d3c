import { useEffect } from "react";
import { type FlashMessage, toasts } from "~/components/layout/toast-store";

/**
 * Says what a form's answer says, as a toast, where scripts run; the message beside the form stays for all.
 * Each new `answer` object is said once. Pass `undefined` as the message for an answer that needs no toast.
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

/** For `navigate(to, { state: KEEP_MESSAGES })`: the page leaves by itself, and its message stays for its full time. */
export const KEEP_MESSAGES = { keepMessages: true } as const;

export const keepsMessages = (state: unknown): boolean =>
  typeof state === "object" && state !== null && "keepMessages" in state;
