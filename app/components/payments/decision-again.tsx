import { Callout, type CalloutTone } from "~/components/ui/elements";
import { PageHeader } from "~/components/ui/page-parts";

interface DecisionAgainProps {
  /** "A payment", "An invoice". */
  what: string;
  breadcrumb: { label: string; to: string }[];
  /** Why the decision cannot be replayed; undefined: it can. */
  notKept: string | undefined;
  unreadableCount: number;
  different: readonly string[];
  changedRules: readonly string[];
}

/** A replayed decision, and whether the result is the same. */
export function DecisionAgain(props: DecisionAgainProps) {
  const { what, breadcrumb, changedRules } = props;
  const [tone, title, text] = describe(props);
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="The decision, run again"
        description={`${what} keeps the facts that its rules saw, the version of every rule and the levels you had set that day. Here the rules have run again on those facts.`}
        breadcrumb={breadcrumb}
      />
      <Callout tone={tone} title={title} className="mb-6">
        {text}
      </Callout>
      <ChangedRules labels={changedRules} />
    </div>
  );
}

/** Not green where it comes out the same: what comes out may be that the payment is held. */
function describe({ notKept, unreadableCount, different }: DecisionAgainProps): [CalloutTone, string, string] {
  if (notKept !== undefined) return ["info", "The facts of this decision were not kept", notKept];
  if (unreadableCount > 0) {
    return [
      "warning",
      "The decision cannot be worked out again",
      "The facts its rules saw were stored in a format that can no longer be read, or the record is damaged. This does not mean that the decision was wrong.",
    ];
  }
  if (different.length > 0) return ["danger", "The decision comes out differently", different.join("; ")];
  return [
    "info",
    "The decision comes out the same",
    "Each finding, and what follows from them, is as it was recorded.",
  ];
}

/** Rules whose version has changed: their stored results are not compared. */
export function ChangedRules({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  return (
    <Callout tone="info" title="Rules that have changed since">
      What they found then is kept, and is not compared: {labels.join("; ")}.
    </Callout>
  );
}
