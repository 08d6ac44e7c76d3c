import { Badge, cx, Icon, toneText } from "~/components/ui/elements";
import type { ChangeLook, VerdictLook } from "~/modules/payees/verifications/verdict";

/** The one word for the state of a verification. */
export function VerdictBadge({ verdict: { tone, icon, word } }: { verdict: VerdictLook }) {
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}

/** What changed before the verification was opened, beside or below the verdict. */
export function ChangeMark({ change: { tone, icon, word } }: { change: ChangeLook }) {
  return (
    <span
      className={cx("inline-flex items-center gap-1 font-medium text-xs leading-4 whitespace-nowrap", toneText[tone])}
    >
      <Icon name={icon} className="size-3.5" />
      {word}
    </span>
  );
}
