import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import { NotFound } from "~/components/layout/not-found";
import { Card } from "~/components/ui/card";
import { ErrorState } from "~/components/ui/error-state";

/** What a page of this room shows when its data could not be loaded: the title, the reason and Try Again. */
export function LoadError({ title }: { title: string }) {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  const message = isRouteErrorResponse(error) && typeof error.data?.message === "string" ? error.data.message : null;
  return (
    <Card>
      <ErrorState title={title} retryHref={pathname + search}>
        {message ?? "Something went wrong on our side. Nothing was changed."}
      </ErrorState>
    </Card>
  );
}
