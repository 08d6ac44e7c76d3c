import { useLocation } from "@remix-run/react";
import { NotAllowed } from "~/components/layout/not-allowed";
import { NotFound } from "~/components/layout/not-found";
import { useProblem } from "~/components/layout/use-problem";
import { Card } from "~/components/ui/card";
import { ErrorState } from "~/components/ui/error-state";

const UNKNOWN = "The page could not be loaded. Please try again.";

/** What a page shows when its data could not be loaded: the title, the reason and Try Again. */
export function LoadError({ title }: { title: string }) {
  const { pathname, search } = useLocation();
  const { status, code, message } = useProblem();
  if (status === 404) return <NotFound />;
  if (status === 403) return <NotAllowed code={code} message={message} />;
  return (
    <Card>
      <ErrorState title={title} headingLevel={1} retryHref={pathname + search}>
        {message ?? UNKNOWN}
      </ErrorState>
    </Card>
  );
}
