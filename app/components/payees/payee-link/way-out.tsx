import { Button } from "~/components/ui/button";
import { sitePaths } from "~/kernel/paths/site";

/** The way back that the specification gives every page of a payee. */
export function WayOut({ quiet }: { quiet?: boolean }) {
  return (
    <div className="mt-8 border-line border-t pt-5">
      <Button to={sitePaths.signIn} variant={quiet ? "quiet" : "secondary"} reloadDocument>
        Go to PayeeProof
      </Button>
    </div>
  );
}
