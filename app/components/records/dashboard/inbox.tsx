import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { Amount } from "~/components/ui/digits";
import { EmptyState } from "~/components/ui/empty-state";
import { Link } from "~/components/ui/link";
import { Time } from "~/components/ui/time";
import { ChangeMark, VerdictBadge } from "~/components/verifying/verdict-badge";
import { appPaths } from "~/kernel/paths/app";
import type { InboxItem } from "~/modules/records/dashboard.view";

const PATHS: Readonly<Record<InboxItem["kind"], (id: string) => string>> = {
  disputed: appPaths.payee,
  changed: appPaths.verification,
  verification: appPaths.verification,
  payment: appPaths.payment,
  request: () => appPaths.members,
};

/** What waits for a person, the most urgent first. */
export function Inbox({ items, isNew }: { items: readonly InboxItem[]; isNew: boolean }) {
  if (items.length === 0) {
    if (isNew) return null;
    return (
      <Card>
        <EmptyState icon="checkCircle" mood="done" title="Nothing needs your attention">
          No payment is held, no result waits for review, and no payee disputes its details.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card flush title="Needs a decision" description="The most urgent first.">
      <ol className="divide-y divide-line border-line border-t">
        {items.map((item) => (
          <Item key={`${item.kind} ${item.id}`} item={item} />
        ))}
      </ol>
    </Card>
  );
}

function Item({ item }: { item: InboxItem }) {
  const { kind, verdict, change, since } = item;
  return (
    <li className="relative grid gap-x-6 gap-y-1 px-5 py-3 text-base has-[a:hover]:bg-sunken/70 sm:grid-cols-[minmax(0,1fr)_auto_7.5rem] sm:items-center">
      <div className="min-w-0">
        <Link
          to={PATHS[kind](item.id)}
          className="font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
        >
          {item.title}
        </Link>
        <p className="break-words text-ink-soft text-sm">
          {item.detail && `${item.detail} · `}
          <Time dateTime={since.dateTime} exact={since.relative} />
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        {change && <ChangeMark change={change} />}
        {verdict && <VerdictBadge verdict={verdict} />}
        {kind === "payment" && (
          <Badge tone="review" icon="pause">
            Held
          </Badge>
        )}
        {kind === "request" && (
          <Badge tone="pending" icon="user">
            Join request
          </Badge>
        )}
      </div>
      <div className="figures sm:text-right">{item.cents !== null && <Amount cents={item.cents} />}</div>
    </li>
  );
}
