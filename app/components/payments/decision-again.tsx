import { Callout } from "~/components/ui/elements";
import { PageHeader } from "~/components/ui/page-parts";

/** A replayed decision, and whether the result is the same. */
export function DecisionAgain(props: {
  /** "A payment", "An invoice". */
  what: string;
  breadcrumb: { label: string; to: string }[];
  /** Why the decision cannot be replayed; undefined: it can. */
  notKept: string | undefined;
  unreadableCount: number;
  different: readonly string[];
  changedRules: readonly string[];
}) {
  const { what, breadcrumb, notKept, unreadableCount, different, changedRules } = props;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="The decision, run again"
        description={`${what} keeps the facts that its rules saw, the version of every rule and the levels you had set that day. Here the rules have run again on those facts.`}
        breadcrumb={breadcrumb}
      />
      {notKept !== undefined ? (
        <Callout tone="info" title="The facts of this decision were not kept" className="mb-6">
          {notKept}
        </Callout>
      ) : unreadableCount > 0 ? (
        <Callout tone="warning" title="The decision cannot be worked out again" className="mb-6">
          The facts its rules saw were stored in a format that can no longer be read, or the record is damaged. This
          does not mean that the decision was wrong.
        </Callout>
      ) : (
        <Callout
          tone={different.length === 0 ? "info" : "danger"}
          title={different.length === 0 ? "The decision comes out the same" : "The decision comes out differently"}
          className="mb-6"
        >
          {different.join("; ") || "Each finding, and what follows from them, is as it was recorded."}
        </Callout>
      )}
      <ChangedRules labels={changedRules} />
    </div>
  );
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
