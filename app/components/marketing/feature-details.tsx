import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { AlertFigure } from "~/components/marketing/figures/alert-figure";
import { AuditFigure } from "~/components/marketing/figures/audit-figure";
import { CallFigure } from "~/components/marketing/figures/call-figure";
import { HeldFigure } from "~/components/marketing/figures/held-figure";
import { StepsFigure } from "~/components/marketing/figures/steps-figure";
import { WhitelistFigure } from "~/components/marketing/figures/whitelist-figure";

interface Detail {
  id: string;
  title: string;
  points: readonly string[];
  figure: ReactNode;
}

const DETAILS: readonly Detail[] = [
  {
    id: "whitelist",
    title: "A whitelist that is checked at every change",
    points: [
      "A payee is whitelisted when a reviewer approves its verification, or after 3 or more successful payments to unchanged details.",
      "If one digit changes, the payee leaves the whitelist, a verification opens and payments are held.",
      "You see how many other organisations trust the same account and whether the name matches. You never see who they are.",
    ],
    figure: <WhitelistFigure />,
  },
  {
    id: "alerts",
    title: "Alerts go to the right people",
    points: [
      "When bank details change, every member who can act is alerted, except the person who made the change. Each chooses email, a text message or a daily summary.",
      "We also tell the payee at their previous email address, which a criminal would not use.",
      "If a payee answers “These are not my details”, every payment to them is held at once.",
    ],
    figure: <AlertFigure />,
  },
  {
    id: "steps",
    title: "More than one step, more than one person",
    points: [
      "The payee confirms the details on a page that names your organisation and asks for no password.",
      "With their consent, their bank says who holds the account, through Basiq under the Consumer Data Right.",
      "You see both names side by side, a score, and a sentence for each difference. A reviewer decides.",
    ],
    figure: <StepsFigure />,
  },
  {
    id: "audit",
    title: "A record that cannot be changed unnoticed",
    points: [
      "Every change to payees, payments, people or settings is recorded together with the change itself.",
      "The database refuses to change or delete an entry. Each is sealed with SHA-256 over its content and the seal before it.",
      "Export the audit trail and check the seals yourself, with our tools or your own.",
      "A decided verification has a certificate, on paper and as a PDF, that anyone who holds it can check.",
    ],
    figure: <AuditFigure />,
  },
  {
    id: "integration",
    title: "Accounting systems, an API and webhooks",
    points: [
      "Connect Xero or MYOB to read suppliers. A bank account that changes there is held and told of, and a person decides.",
      "A payment whose account or amount is not that of the approved bill is held. A payment that Xero has reconciled is successful here by itself.",
      "The JSON API covers payees, verifications, payments, whole pay runs and the audit trail. Each call is described with examples.",
      "Each answer carries the decision and every reason as data, so that your system can show them.",
      "A call repeated with the same idempotency key is never recorded twice.",
      "Webhooks tell your system of changed bank details, results and payments as they happen, signed and tried again for three days.",
    ],
    figure: <CallFigure />,
  },
  {
    id: "analytics",
    title: "Reasons for every held payment",
    points: [
      "The dashboard shows how many verifications are pending, payees whitelisted and payments held.",
      "A held payment lists each rule that held it, with the evidence.",
      "The person who decides gives a reason, which stays with the payment.",
      "Reports show what was verified, held, rejected and decided, with a CSV file of each.",
    ],
    figure: <HeldFigure />,
  },
];

/** Each feature beside a part of the product that shows it. */
export function FeatureDetails() {
  return (
    <div className="mx-auto grid max-w-6xl gap-16 px-4 py-16 sm:px-6 sm:gap-24 sm:py-24">
      {DETAILS.map((detail, index) => (
        <section
          key={detail.id}
          id={detail.id}
          aria-labelledby={`${detail.id}-title`}
          className="grid items-center gap-8 lg:grid-cols-2 lg:gap-16"
        >
          <div className={cx(index % 2 === 1 && "lg:order-last")}>
            <h2 id={`${detail.id}-title`} className="display text-3xl">
              {detail.title}
            </h2>
            <ul className="mt-5 divide-y divide-line border-line border-y">
              {detail.points.map((point) => (
                <li key={point} className="py-3 text-md">
                  {point}
                </li>
              ))}
            </ul>
          </div>
          {detail.figure}
        </section>
      ))}
    </div>
  );
}
