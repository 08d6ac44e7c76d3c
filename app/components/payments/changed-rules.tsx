import { Callout } from "~/components/ui/callout";

/** Rules that find by another version today: their former answers are not compared. */
export function ChangedRules({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  return (
    <Callout tone="info" title="Rules that have changed since">
      What they found then stands, and is not compared: {labels.join("; ")}.
    </Callout>
  );
}
