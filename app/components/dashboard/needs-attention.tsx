import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { Amount } from "~/components/ui/digits";
import { EmptyState } from "~/components/ui/empty-state";
import { MatchBadge } from "~/components/ui/match-badge";
import { Time } from "~/components/ui/time";
import type { CheckOutcome } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import type { DashboardView } from "~/modules/dashboard/dashboard.view";
import { payeesHref } from "~/modules/payees/payee-list.view";
import { paymentsHref } from "~/modules/payments/payment-list.view";

type Since = DashboardView["held"][number]["since"];

/** What has waited longest for somebody: a few of each kind, with the way to all of them. */
export function NeedsAttention({ view, isNew }: { view: DashboardView; isNew: boolean }) {
  const { held, answered, disputed } = view;
  if (held.length + answered.length + disputed.length === 0) {
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
    <div className="grid items-start gap-6 lg:grid-cols-[repeat(auto-fit,minmax(26rem,1fr))]">
      {disputed.length > 0 && (
        <Waiting title="Disputed payees" allHref={payeesHref({ filter: "disputed" })}>
          {disputed.map((payee) => (
            <Item key={payee.id} to={appPaths.payee(payee.id)} title={payee.name} since={payee.since}>
              <Badge tone="review">Disputed</Badge>
            </Item>
          ))}
        </Waiting>
      )}
      {held.length > 0 && (
        <Waiting title="Held payments" allHref={paymentsHref({ filter: "held" })}>
          {held.map((payment) => (
            <Item
              key={payment.id}
              to={appPaths.payment(payment.id)}
              title={payment.payeeName}
              detail={payment.reference}
              since={payment.since}
            >
              <Amount cents={payment.amount} className="font-medium" />
            </Item>
          ))}
        </Waiting>
      )}
      {answered.length > 0 && (
        <Waiting title="Results to review" allHref={appPaths.pendingVerifications}>
          {answered.map((row) => (
            <Item key={row.id} to={appPaths.verification(row.id)} title={row.payeeName} since={row.since}>
              <OutcomeBadge outcome={row.outcome} score={row.nameMatchScore} />
            </Item>
          ))}
        </Waiting>
      )}
    </div>
  );
}

function OutcomeBadge({ outcome, score }: { outcome: CheckOutcome; score: number | null }) {
  return outcome === "unable" || score === null ? (
    <Badge tone="neutral">No answer</Badge>
  ) : (
    <MatchBadge score={score} />
  );
}

function Waiting({ title, allHref, children }: { title: string; allHref: string; children: ReactNode }) {
  return (
    <Card
      flush
      title={title}
      actions={
        <Link
          to={allHref}
          className="rounded-base py-1 font-medium text-accent-text text-sm underline underline-offset-2"
        >
          Show all<span className="sr-only">: {title}</span>
        </Link>
      }
    >
      <ul className="divide-y divide-line border-line border-t">{children}</ul>
    </Card>
  );
}

interface ItemProps {
  to: string;
  title: string;
  detail?: string | null;
  since: Since;
  children: ReactNode;
}

function Item({ to, title, detail, since, children }: ItemProps) {
  return (
    <li className="relative flex items-center justify-between gap-6 px-5 py-3 text-base has-[a:hover]:bg-sunken/70">
      <div className="min-w-0">
        <Link
          to={to}
          className="font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
        >
          {title}
        </Link>
        <p className="break-words text-ink-soft text-sm">
          {detail && `${detail} · `}
          <Time dateTime={since.dateTime} exact={since.relative} />
        </p>
      </div>
      <div className="shrink-0">{children}</div>
    </li>
  );
}
