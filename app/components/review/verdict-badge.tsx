import { Badge } from "~/components/ui/badge";
import type { VerdictLook } from "~/modules/verifications/verdict";

/** The one word for where a verification stands. */
export function VerdictBadge({ verdict: { tone, icon, word } }: { verdict: VerdictLook }) {
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
