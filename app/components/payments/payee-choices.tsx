import { Link } from "@remix-run/react";
import { PayeeStatusBadge } from "~/components/payees/payee-status-badge";
import { SearchBox } from "~/components/tables/search-box";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Bsb, Masked } from "~/components/ui/digits";
import { EmptyState } from "~/components/ui/empty-state";
import { Icon } from "~/components/ui/icons";
import { appPaths } from "~/kernel/paths/app";
import type { PayeeChoice } from "~/modules/payments/new-payment.view";
import { payPath } from "~/modules/payments/payment-list.view";

interface PayeeChoicesProps {
  q: string;
  choices: readonly PayeeChoice[];
  /** There are more than are shown. */
  hasMore: boolean;
}

/** The payees to choose from, found by the beginning of a name, a BSB or an account number. */
export function PayeeChoices({ q, choices, hasMore }: PayeeChoicesProps) {
  return (
    <Card flush>
      <div className="border-line border-b px-5 py-4">
        <SearchBox
          label="Search payee, account name, BSB or account number"
          defaultValue={q || undefined}
          action={appPaths.newPayment}
          clearHref={appPaths.newPayment}
        />
      </div>
      {choices.length === 0 ? (
        <NoChoice q={q} />
      ) : (
        <ul className="divide-y divide-line" aria-label={q ? "Payees found" : "Newest payees"}>
          {choices.map((payee) => (
            <Choice key={payee.id} payee={payee} />
          ))}
        </ul>
      )}
      {hasMore && (
        <p className="border-line border-t px-5 py-3.5 text-ink-soft text-sm">
          {q ? "There are more: type more of the name." : "These are the newest. Search for the others."}
        </p>
      )}
    </Card>
  );
}

function NoChoice({ q }: { q: string }) {
  const add = (
    <Button to={appPaths.newPayee} icon="plus" variant="secondary">
      Verify a payee
    </Button>
  );
  return q ? (
    <EmptyState icon="search" title="No payee found" action={add}>
      Nothing matches “{q}”. Search by the beginning of a name, a BSB or an account number.
    </EmptyState>
  ) : (
    <EmptyState icon="users" title="No payees yet" action={add}>
      Add a payee first, or record a payment to another account.
    </EmptyState>
  );
}

function Choice({ payee }: { payee: PayeeChoice }) {
  return (
    <li className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3.5 has-[a:hover]:bg-sunken/70">
      <div className="min-w-0">
        <Link
          to={payPath(payee.id)}
          className="font-medium text-base after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
        >
          {payee.name}
        </Link>
        <AccountLine payee={payee} />
        {payee.grade && <p className="text-ink-soft text-sm">{payee.grade}</p>}
      </div>
      <div className="flex items-center gap-3">
        <PayeeStatusBadge status={payee.status} headline={payee.headline} />
        <Icon name="chevronRight" className="size-4 text-ink-soft" />
      </div>
    </li>
  );
}

function AccountLine({ payee }: { payee: PayeeChoice }) {
  return (
    <p className="text-ink-soft text-sm">
      {payee.accountName} · <Bsb value={payee.bsb} /> <Masked value={payee.maskedAccountNumber} />
    </p>
  );
}

/** The payee that the payment is for, with the way back to the choice. */
export function ChosenPayee({ payee }: { payee: PayeeChoice }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 rounded-base bg-sunken p-4 border border-line">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium text-md">
          {payee.name}
          <PayeeStatusBadge status={payee.status} headline={payee.headline} />
        </p>
        {payee.grade && <p className="text-ink-soft text-sm">{payee.grade}</p>}
        <AccountLine payee={payee} />
      </div>
      <Button to={appPaths.newPayment} variant="secondary" size="sm">
        Choose another
      </Button>
    </div>
  );
}
