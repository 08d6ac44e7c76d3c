import { Badge, type Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import type { VerdictName } from "~/modules/verifications/verdict";

/** Icon and colour of each verdict, the same wherever it appears. */
export const VERDICT_LOOKS: Readonly<Record<VerdictName, { tone: Tone; icon: IconName }>> = {
  not_checked: { tone: "neutral", icon: "circle" },
  waiting: { tone: "neutral", icon: "mail" },
  matches: { tone: "verified", icon: "checkCircle" },
  close: { tone: "pending", icon: "notEquals" },
  does_not_match: { tone: "review", icon: "flag" },
  disputed: { tone: "review", icon: "hand" },
  lookalike: { tone: "review", icon: "copy" },
  could_not_check: { tone: "neutral", icon: "unlinked" },
  account_closed: { tone: "review", icon: "barred" },
  verified: { tone: "verified", icon: "checkCircle" },
  rejected: { tone: "review", icon: "xCircle" },
  failed: { tone: "review", icon: "alert" },
};

/** The one word for where a verification stands. */
export function VerdictBadge({ verdict }: { verdict: { name: VerdictName; word: string } }) {
  const { tone, icon } = VERDICT_LOOKS[verdict.name];
  return (
    <Badge tone={tone} icon={icon}>
      {verdict.word}
    </Badge>
  );
}
