import { Callout } from "~/components/ui/callout";
import type { ShownOrigin } from "~/modules/payees/details-origin";

/** That bank details came from an accounting system, and who has to approve them. */
export function DetailsOrigin({ origin }: { origin: ShownOrigin | null }) {
  if (!origin) return null;
  return (
    <Callout tone="info" title={origin.title} className="mb-6">
      {origin.text}
    </Callout>
  );
}
