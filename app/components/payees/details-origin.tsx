import { Callout } from "~/components/ui/elements";
import type { ShownOrigin } from "~/modules/payees/details-origin";

/** Says that bank details were imported from an accounting system, and who has to approve them. */
export function DetailsOrigin({ origin }: { origin: ShownOrigin | null }) {
  if (!origin) return null;
  return (
    <Callout tone="info" title={origin.title} className="mb-6">
      {origin.text}
    </Callout>
  );
}

/** The grade beside or below the word "verified"; empty if there is none. */
export function GradeNote({ grade }: { grade: string | null }) {
  return grade === null ? null : <span className="text-base text-ink-soft">{grade}</span>;
}
