import { useLocation } from "@remix-run/react";
import { Message } from "~/components/layout/whole-page-message";
import { Entry } from "~/components/marketing/entry";
import { Button } from "~/components/ui/button";

const MAX_SHOWN = 60;

/** What stands in `<main>` when nothing lives at an address. */
export function NotFound({ homeHref = "/" }: { homeHref?: string }) {
  const { pathname } = useLocation();
  const asked = pathname.length > MAX_SHOWN ? `${pathname.slice(0, MAX_SHOWN)}…` : pathname;
  return (
    <Message code="404" title="Page not found" actions={<Button to={homeHref}>Back to start</Button>}>
      <p>There is nothing at this address. It may have moved, or belong to an organisation you are not signed in to.</p>
      <Entry
        className="mt-8 text-ink"
        given={{ label: "You asked for", value: asked }}
        held={{ label: "On file", value: "nothing" }}
        verdict={{ tone: "review", word: "No match" }}
      />
    </Message>
  );
}
