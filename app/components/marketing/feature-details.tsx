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
    title: "The whitelist keeps itself honest",
    points: [
      "A payee is trusted because somebody approved a verification, or after 3 or more successful payments to unchanged details.",
      "One changed digit and the trust is gone: the payee leaves the whitelist, a verification opens, payments wait.",
      "Other organisations can vouch for an account. You see how many and whether the name agrees, never who.",
    ],
    figure: <WhitelistFigure />,
  },
  {
    id: "alerts",
    title: "Alerts reach somebody else",
    points: [
      "Whoever changed the details knows already. The alert goes to every other member who can act.",
      "The payee's previous email address is told as well: the one person a criminal would keep in the dark.",
      "A payee who answers “These are not my details” holds every payment to them at once.",
    ],
    figure: <AlertFigure />,
  },
  {
    id: "steps",
    title: "Several steps, several people",
    points: [
      "The payee confirms the details on a page that names your organisation and asks for no password.",
      "With their consent, their bank says who holds the account, through Basiq under the Consumer Data Right.",
      "You see both names side by side, a score, and each difference in a plain sentence. A person decides.",
    ],
    figure: <StepsFigure />,
  },
  {
    id: "audit",
    title: "A record that cannot be tidied up",
    points: [
      "Every act that changes trust, payments, people or settings leaves an entry in the same moment as the change.",
      "The database refuses to change or remove an entry. Each is sealed with SHA-256 over itself and the seal before.",
      "Export the trail as one file and check the seals yourself, with our tools or without them.",
    ],
    figure: <AuditFigure />,
  },
  {
    id: "integration",
    title: "One call, the same answer",
    points: [
      "What the pages do, the JSON interface does: payees, verifications, payments, the audit trail.",
      "Answers carry the decision and every reason as data, so that your system can show them in its own words.",
      "Repeating a call with the same idempotency key never records anything twice.",
    ],
    figure: <CallFigure />,
  },
  {
    id: "analytics",
    title: "Reasons, not just red lights",
    points: [
      "The dashboard counts what is waiting, what is trusted and what is held, from your own records.",
      "A held payment names each rule that held it, with the evidence the rule looked at.",
      "Whoever decides writes why, and the answer stays with the payment.",
    ],
    figure: <HeldFigure />,
  },
];

/** Each feature with a piece of the product that shows it, left and right in turn. */
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
