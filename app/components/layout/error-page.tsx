import { Message } from "~/components/layout/whole-page-message";
import { Button } from "~/components/ui/button";
import { sitePaths } from "~/kernel/paths/site";

interface ErrorPageProps {
  status?: number;
  title?: string;
  /** The sentence a person reads. */
  message?: string;
  retryHref: string;
}

const PAYMENT_REQUIRED = 402;

/** What is in `<main>` when a page could not be made. */
export function ErrorPage({
  status = 500,
  title = status === PAYMENT_REQUIRED ? "A subscription is needed" : "Something went wrong",
  message = "The page could not be loaded. Please try again.",
  retryHref,
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
    </Message>
  );
}
