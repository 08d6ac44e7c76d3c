import { Badge, type Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import type { RowOutcome } from "~/kernel/enums";
import { OUTCOME_LABELS } from "~/modules/payees/imports/import";

const LOOKS: Readonly<Record<RowOutcome, { tone: Tone; icon: IconName }>> = {
  added: { tone: "verified", icon: "plus" },
  filled: { tone: "verified", icon: "pencil" },
  unchanged: { tone: "neutral", icon: "equals" },
  differs: { tone: "pending", icon: "notEquals" },
  no_account: { tone: "neutral", icon: "dash" },
  refused: { tone: "review", icon: "xCircle" },
};

/** What became of a row, or would. */
export function OutcomeBadge({ outcome }: { outcome: RowOutcome }) {
  return (
    <Badge tone={LOOKS[outcome].tone} icon={LOOKS[outcome].icon}>
      {OUTCOME_LABELS[outcome]}
    </Badge>
  );
}
