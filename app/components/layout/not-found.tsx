import { useLoadedRootData } from "~/components/layout/root-data";
import { Message } from "~/components/layout/whole-page-message";
import { Button } from "~/components/ui/button";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";

/** What is in `<main>` when there is no page at an address. The address is not repeated: it may hold a secret. */
export function NotFound() {
  const isSignedIn = Boolean(useLoadedRootData()?.user);
  return (
    <Message
      title="Page not found"
      actions={
        <>
          <Button to={isSignedIn ? appPaths.dashboard : sitePaths.home}>
            {isSignedIn ? "Go to the dashboard" : "Go to the home page"}
          </Button>
          <Button to={sitePaths.help} variant="secondary">
            Help
          </Button>
        </>
      }
    >
      <p>
        There is no page at this address. It may have moved, it may have been deleted, or it may belong to an
        organisation that you are not signed in to.
      </p>
      <p className="mt-2">Check the address, or start again from one of these pages.</p>
    </Message>
  );
}
