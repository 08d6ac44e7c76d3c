import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";

export function Message({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <div className="mx-auto max-w-[36rem] px-4 py-20 sm:py-28">
      <h1 id="page-title" tabIndex={-1} className="display text-3xl">
        {title}
      </h1>
      <div className="mt-3 max-w-[52ch] text-ink-soft text-md">{children}</div>
      {actions && <div className="mt-6 flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}

interface ErrorPageProps {
  status?: number;
  title?: string;
  /** The sentence a person reads. */
  message?: string;
  retryHref: string;
  /** The id of the request in the log; shown for errors of ours. */
  requestId?: string;
}

const PAYMENT_REQUIRED = 402;

/** The contents of `<main>` when a page could not be made. */
export function ErrorPage({
  status = 500,
  title = status === PAYMENT_REQUIRED ? "A subscription is needed" : "Something went wrong",
  message = "The page could not be loaded. Please try again.",
  retryHref,
  requestId,
}: ErrorPageProps) {
  return (
    <Message
      title={title}
      actions={
        status === PAYMENT_REQUIRED ? (
          <Button to={sitePaths.subscription} icon="card">
            Go to the subscription
          </Button>
        ) : (
          <Button to={retryHref} reloadDocument icon="refresh">
            Try Again
          </Button>
        )
      }
    >
      {message}
      <RequestName status={status} requestId={requestId} />
    </Message>
  );
}

export const RequestName = ({ status, requestId }: Pick<ErrorPageProps, "status" | "requestId">) =>
  requestId && (status ?? 500) >= 500 ? (
    <span className="mt-3 block break-all text-sm">Request {requestId}</span>
  ) : null;

/** The error that a page's loader or action threw, as a boundary receives it. */
export function useProblem() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return { status: 500 };
  const { code, message, requestId } = {
    ...(error.data as { code?: unknown; message?: unknown; requestId?: unknown } | null),
  };
  return {
    status: error.status,
    code: typeof code === "string" ? code : undefined,
    message: typeof message === "string" ? message : undefined,
    requestId: typeof requestId === "string" ? requestId : undefined,
  };
}
