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

/** How something was verified, beside or under the word that says that it was; nothing where it was not. */
export function GradeNote({ grade }: { grade: string | null }) {
  return grade === null ? null : <span className="text-base text-ink-soft">{grade}</span>;
}
