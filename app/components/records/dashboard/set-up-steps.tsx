import { Card } from "~/components/ui/card";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import { appPaths } from "~/kernel/paths/app";
import type { SetUpStep } from "~/modules/records/dashboard.view";

const STEPS: Record<SetUpStep["id"], { title: string; text: string; to: string }> = {
  email: {
    title: "Confirm your email address",
    text: "Use the link that we sent you. Until then no bank and no payee can be asked.",
    to: appPaths.profile,
  },
  payee: {
    title: "Verify a payee",
    text: "Enter its BSB, account number and account name. You see at once what is known about the account.",
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
  person: {
    title: "Invite a second person",
    text: "Then one person can enter bank details and another can approve them.",
    to: appPaths.members,
  },
  two_step: {
    title: "Turn on two-step sign-in",
    text: "A stolen password alone then opens nothing.",
    to: appPaths.twoStep,
  },
};

/** What is left to set up: what has been done once is ticked, the rest are links. */
export function SetUpSteps({ steps, trialDaysLeft }: { steps: readonly SetUpStep[]; trialDaysLeft: number | null }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const trial =
    trialDaysLeft === null ? "" : ` ${trialDaysLeft} ${trialDaysLeft === 1 ? "day" : "days"} of the trial left.`;
  return (
    <Card title="Get started" description={`${done} of ${steps.length} done.${trial}`}>
      <ol className="grid gap-x-8 sm:grid-cols-2">
        {steps.map(({ id, isDone }, index) => (
          <li key={id} className="relative flex items-start gap-4 py-3">
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
