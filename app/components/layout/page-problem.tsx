import { useLocation } from "@remix-run/react";
import { ErrorPage } from "~/components/layout/error-page";
import { NotAllowed } from "~/components/layout/not-allowed";
import { NotFound } from "~/components/layout/not-found";
import { useProblem } from "~/components/layout/use-problem";

/** What is in `<main>` in the place of a page that has nothing of its own to say about its error. */
export function PageProblem() {
  const { pathname, search } = useLocation();
  const { status, code, message, requestId } = useProblem();
  if (status === 404) return <NotFound />;
  if (status === 403) return <NotAllowed code={code} message={message} />;
  return <ErrorPage {...{ status, message, requestId }} retryHref={pathname + search} />;
}
