import type { FormEvent, ReactNode } from "react";
import { OFFLINE } from "~/components/forms/form";
import { sitePaths } from "~/kernel/paths/site";
import { toasts } from "./toast-store";

interface LogoutFormProps {
  /** The page that it leads to: the home page, or the sign-in page. */
  to?: string;
  className?: string;
  /** The button. */
  children: ReactNode;
}

/**
 * Logs out. With scripts, a lost connection leaves the page as it is and reports it, and nothing else has to be loaded.
 * The next page is a new document, so that nothing of the session stays in the browser's memory.
 */
export function LogoutForm({ to = sitePaths.home, className, children }: LogoutFormProps) {
  return (
    <form method="post" action={sitePaths.logout} className={className} onSubmit={(event) => logOut(event, to)}>
      <input type="hidden" name="to" value={to} />
      {children}
    </form>
  );
}

async function logOut(event: FormEvent<HTMLFormElement>, to: string) {
  event.preventDefault();
  const form = event.currentTarget;
  const body = new URLSearchParams({ to });
  try {
    const answer = await fetch(sitePaths.logout, { method: "POST", body, redirect: "manual" });
    // The request was refused: posting it again as a document shows why.
    if (answer.type === "opaqueredirect") location.assign(to);
    else form.submit();
  } catch {
    toasts.show({ tone: "error", title: "Logout failed", description: OFFLINE });
  }
}
