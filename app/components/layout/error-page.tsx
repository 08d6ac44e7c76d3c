import { Message } from "~/components/layout/whole-page-message";
import { Button } from "~/components/ui/button";

interface ErrorPageProps {
  status?: number;
  title?: string;
  /** The sentence a person reads. */
  message?: string;
  /** For the person to quote when they ask for help. */
  requestId?: string;
  retryHref: string;
}

const PAYMENT_REQUIRED = 402;

/** What stands in `<main>` when a page could not be made. */
export function ErrorPage({
  status = 500,
  title = status === PAYMENT_REQUIRED ? "A subscription is needed" : "Something went wrong",
  message = "The page could not be loaded. Nothing was changed. Please try again.",
  requestId,
  retryHref,
}: ErrorPageProps) {
  return (
    <Message
      code={String(status)}
      title={title}
      note={requestId && `Reference ${requestId}`}
      actions={
        status === PAYMENT_REQUIRED ? (
          <Button to="/subscription" icon="card">
            Look at the subscription
          </Button>
        ) : (
          <Button to={retryHref} reloadDocument icon="refresh">
            Try Again
          </Button>
        )
      }
    >
      {message}
    </Message>
  );
}
