import { Message } from "~/components/layout/whole-page-message";
import { Button } from "~/components/ui/button";

/** What stands in `<main>` when nothing lives at an address. */
export function NotFound({ homeHref = "/" }: { homeHref?: string }) {
  return (
    <Message code="404" title="Page not found" actions={<Button to={homeHref}>Back to start</Button>}>
      There is nothing at this address. It may have moved, or belong to an organisation you are not signed in to.
    </Message>
  );
}
