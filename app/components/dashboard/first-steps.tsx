import { Link } from "@remix-run/react";
import { Card } from "~/components/ui/card";
import { Icon } from "~/components/ui/icons";
import { appPaths } from "~/kernel/paths/app";
import type { FirstStep } from "~/modules/dashboard/dashboard.view";

const STEPS: Record<FirstStep["id"], { title: string; text: string; to: string }> = {
  payee: {
    title: "Verify a payee",
    text: "Enter its BSB, account number and account name: they are checked at once.",
    to: appPaths.newPayee,
  },
  verification: {
    title: "Decide its verification",
    text: "Ask the payee's bank, or decide on the evidence. An approved payee is whitelisted.",
    to: appPaths.pendingVerifications,
  },
  payment: {
    title: "Record a payment",
    text: "It is authorised, or held with the reasons, before any money leaves.",
    to: appPaths.newPayment,
  },
};

/** The way into the product: what has been done once is ticked, the rest are links. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card title="Get started" description={`${done} of ${steps.length} done`}>
      <ol className="divide-y divide-line">
        {steps.map(({ id, isDone }, index) => (
          <li key={id} className="relative flex items-start gap-4 py-3.5 first:pt-0 last:pb-0">
            <span className="figures grid size-7 shrink-0 place-items-center rounded-full bg-sunken font-medium text-sm border border-line">
              {isDone ? <Icon name="check" className="size-4 text-verified" /> : index + 1}
            </span>
            <div className="min-w-0 text-base">
              {isDone ? (
                <p className="font-medium text-ink-soft">
                  <span className="sr-only">Done: </span>
                  {STEPS[id].title}
                </p>
              ) : (
                <Link
                  to={STEPS[id].to}
                  className="font-medium text-accent-text underline underline-offset-2 after:absolute after:inset-0"
                >
                  {STEPS[id].title}
                </Link>
              )}
              <p className="text-ink-soft">{STEPS[id].text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
