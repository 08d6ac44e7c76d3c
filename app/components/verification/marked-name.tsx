import { markName } from "~/components/verification/mark-name";
import type { NamePart, NamePartStatus } from "~/modules/verifications/name-match";

interface MarkedNameProps {
  name: string;
  parts: readonly NamePart[];
  side: "submitted" | "held";
}

/**
 * An account name with what the other side does not have marked by wash and underline. The marks are for the eye:
 * read aloud the name stays whole, and the sentences of `DifferenceList` say what differs.
 */
export function MarkedName({ name, parts, side }: MarkedNameProps) {
  let at = 0;
  return (
    <span className="whitespace-pre-wrap">
      {markName(name, parts, side).map(({ text, status }) => {
        const key = at;
        at += text.length;
        return <Stretch key={key} text={text} status={status} />;
      })}
    </span>
  );
}

function Stretch({ text, status }: { text: string; status: NamePartStatus }) {
  if (status === "same") return <>{text}</>;
  if (status === "formatting") {
    return (
      <span className="underline decoration-1 decoration-control decoration-dotted underline-offset-4">{text}</span>
    );
  }
  return <mark className="border-pending border-b-2 bg-mark box-decoration-clone px-px text-ink">{text}</mark>;
}
