import { Message } from "~/components/layout/whole-page-message";
import { Button } from "~/components/ui/button";
import { sitePaths } from "~/kernel/paths/site";

interface ErrorPageProps {
  status?: number;
  title?: string;
  /** The sentence a person reads. */
  message?: string;
  retryHref: string;
  /** By which the log knows the request; shown where the fault is ours. */
  requestId?: string;
}

const PAYMENT_REQUIRED = 402;

/** What is in `<main>` when a page could not be made. */
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

/** By which the log knows what went wrong, where the fault is ours. */
export const RequestName = ({ status, requestId }: Pick<ErrorPageProps, "status" | "requestId">) =>
  requestId && (status ?? 500) >= 500 ? (
    <span className="mt-3 block break-all text-sm">Request {requestId}</span>
  ) : null;
