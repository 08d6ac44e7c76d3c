import { json } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { FeaturesSection } from "~/components/marketing/features-section";
import { FEATURES } from "~/components/marketing/home-content";
import { publicPage } from "~/components/marketing/meta";
import { exampleOf, LEGAL_FORM_ENTRY, NameTrial, useTrial } from "~/components/marketing/name-trial";
import { PageBanner } from "~/components/marketing/page-banner";
import { CallToAction, Sheet } from "~/components/marketing/section";
import { ReasonList, type ShownReason } from "~/components/payees/verification/reason-list";
import { cx, Icon, type IconName } from "~/components/ui/elements";
import { Amount, Bsb, Masked } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { formAction, limitByAddress, page, parseForm } from "~/http/page.server";
import { sitePaths } from "~/kernel/paths/site";
import { comparePair, namePairSchema } from "~/modules/name-match/name-pair.server";

const PAYEES = [
  { name: "Coastline Timber Supplies", bsb: "062000", accountNumber: "12345678", status: "whitelisted" },
  { name: "Fern & Co", bsb: "082057", accountNumber: "447120981", status: "whitelisted" },
  { name: "Harbour Foods", bsb: "032123", accountNumber: "880214", status: "changed" },
] as const;

function WhitelistFigure() {
  return (
    <Sheet caption="Payees" flush>
      <ul className="divide-y divide-line">
        {PAYEES.map((payee) => (
          <li key={payee.name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5">
            <div>
              <p className="font-medium text-md">{payee.name}</p>
              <p className="flex gap-3 text-ink-soft text-sm">
                <Bsb value={payee.bsb} />
                <Masked value={payee.accountNumber} />
              </p>
            </div>
            <StatusBadge of="payee" status={payee.status} />
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

const STEPS: readonly { icon: IconName; what: string; how: string }[] = [
  { icon: "link", what: "The payee confirms", how: "on a page that names your organisation" },
  { icon: "bank", what: "The payee's bank answers", how: "and says who holds the account, with the payee's consent" },
  { icon: "users", what: "A reviewer decides", how: "a second person, if your policy requires it" },
];

function StepsFigure() {
  return (
    <Sheet caption="A verification, step by step">
      <ol className="grid gap-4">
        {STEPS.map((step) => (
          <li key={step.what} className="flex gap-3">
            <span className="grid size-9 shrink-0 place-items-center rounded-full bg-verified-wash text-verified border border-verified-line">
              <Icon name={step.icon} className="size-4.5" />
            </span>
            <p className="text-base">
              <span className="block font-medium text-md">{step.what}</span>
              <span className="text-ink-soft">{step.how}</span>
            </p>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}

const REASONS: readonly ShownReason[] = [
  {
    rule: "details_changed",
    level: "hold",
    message: "The bank details changed and the change has not been reviewed.",
    note: "Account number, 20 Nov 2026, 10:02 am",
  },
  {
    rule: "name_differs",
    level: "hold",
    message: "The name given with the payment is not exactly the payee's.",
    note: "Harbour Funds, score 47",
  },
];

function HeldFigure() {
  return (
    <Sheet caption="A held payment and its reasons">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <p className="font-medium text-md">
          Harbour Foods <Amount cents={845_000} className="ml-2 font-normal text-ink-soft" />
        </p>
        <StatusBadge of="payment" status="held" />
      </div>
      <ReasonList reasons={REASONS} />
    </Sheet>
  );
}

function PayRunFigure() {
  return (
    <Sheet caption="A payment file, checked before it goes to the bank" flush>
      <ul className="divide-y divide-line">
        {PAY_RUN.map(({ who, cents, status }) => (
          <li key={who} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5">
            <span className="font-medium text-md">{who}</span>
            <span className="flex items-center gap-3">
              <Amount cents={cents} />
              <StatusBadge of="payment" status={status} />
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

/** Invented lines. */
const PAY_RUN = [
  { who: "Coastline Timber Supplies", cents: 845_000, status: "authorised" },
  { who: "Fern & Co", cents: 132_000, status: "authorised" },
  { who: "Harbour Foods", cents: 954_000, status: "held" },
] as const;

const REQUEST = `POST /api/payments

{ "payeeId": "0198c1f0-…",
  "amount": 845000,
  "reference": "INV-2207" }`;

const ANSWER = `201 Created

{ "decision": "held",
  "reasons": [
    { "rule": "details_changed",
      "level": "hold" } ] }`;

function CallFigure() {
  return (
    <Sheet caption="Recording a payment through the API" flush>
      <div className="grid sm:grid-cols-2 sm:divide-x sm:divide-line">
        <Text>{REQUEST}</Text>
        <Text>{ANSWER}</Text>
      </div>
    </Sheet>
  );
}

function Text({ children }: { children: string }) {
  return (
    <pre className="figures overflow-x-auto p-5 font-sans text-sm max-sm:not-first:border-line max-sm:not-first:border-t">
      <code className="font-sans">{children}</code>
    </pre>
  );
}

/** Invented entries; each seal is computed from the entry and the seal above it. */
const ENTRIES = [
  { seq: 41, who: "Sam Lee", what: "changed the account number", when: "10:02 am", seal: "9f2c41" },
  { seq: 42, who: "PayeeProof", what: "took the payee off the whitelist", when: "10:02 am", seal: "c07be8" },
  { seq: 43, who: "Ros Tran", what: "rejected the verification", when: "10:31 am", seal: "51ad90" },
] as const;

function AuditFigure() {
  return (
    <Sheet caption="Audit trail" flush>
      <ol className="divide-y divide-line">
        {ENTRIES.map((entry) => (
          <li
            key={entry.seq}
            className="grid grid-cols-[2.25rem_1fr_auto] items-baseline gap-x-3 px-5 py-3.5 text-base"
          >
            <span className="figures text-ink-soft text-sm">{entry.seq}</span>
            <span>
              <span className="font-medium">{entry.who}</span> {entry.what}
              <span className="figures block text-ink-soft text-sm">{entry.when}</span>
            </span>
            <span className="figures flex items-center gap-1.5 text-sm text-verified">
              <Icon name="lock" className="size-4" />
              {entry.seal}
            </span>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}

const DETAILS: readonly { id: string; title: string; points: readonly string[]; figure: ReactNode }[] = [
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
      "A message also goes to the payee's former contact. If that message cannot be delivered, the payee's page says so.",
      "If a payee answers “These are not my details”, every payment to them is held at once.",
    ],
    figure: <AlertFigure />,
  },
  {
    id: "steps",
    title: "More than one step, more than one person",
    points: [
      "Confirmation of Payee, where it is switched on, says while you wait whether the name fits the account. The payee has nothing to do.",
      "Or the payee confirms the details on a page that names your organisation and asks for no password.",
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
    id: "pay-run",
    title: "Pay runs, imports and the health of your payees",
    points: [
      "Upload the ABA or CSV file of a pay run before it goes to the bank. Every line is checked. Flagged lines wait for a decision, and the cleared file holds only payments that passed or were approved.",
      "Drop in an invoice to see whether its account is the one that was verified, before anyone types it.",
      "Import payees from Xero, MYOB or a table. You see what would happen before anything is added, and a file never changes bank details.",
      "The health report lists what to work on: payees never verified, verified long ago, or with details that look wrong.",
      "New suppliers send their bank details through a form, never by email.",
    ],
    figure: <PayRunFigure />,
  },
  {
    id: "integration",
    title: "Accounting systems, an API and webhooks",
    points: [
      "Connect Xero or MYOB to read suppliers. Payments to a bank account that changes there are held, you are alerted, and a person decides.",
      "A payment whose account or amount is not that of the approved bill is held. A payment that Xero has reconciled is marked successful automatically.",
      "The JSON API covers payees, verifications, payments, whole pay runs and the audit trail. Each call is described with examples.",
      "Each answer carries the decision and every reason as data, so that your system can show them.",
      "A call repeated with the same idempotency key is never recorded twice.",
      "Webhooks tell your system about changed bank details, results and payments as they happen. Each is signed, and tried again for three days.",
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

/** Each feature beside a part of the product that demonstrates it. */
function FeatureDetails() {
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

function AlertFigure() {
  return (
    <Sheet caption="Alert to every member who can act, except the person who made the change">
      <div className="flex gap-3">
        <Icon name="mail" className="mt-0.5 text-accent-text" />
        <div className="min-w-0">
          <p className="font-semibold text-md">Bank details changed: Harbour Foods</p>
          <p className="mt-2 text-base">
            Sam Lee changed the account number of Harbour Foods. The payee has left the whitelist. Payments to it are
            held until the new details are verified.
          </p>
          <p className="mt-2 text-base text-ink-soft">
            If you did not expect this, speak to Sam, and call the payee on a number you already know.
          </p>
        </div>
      </div>
    </Sheet>
  );
}

export const { handle, headers, meta } = publicPage({
  path: sitePaths.features,
  title: "Features",
  description:
    "Whitelist verification, alerts, multi-step verification, sealed audit trails, a JSON API and reasons for every held payment. Try the name matcher.",
});

export const loader = /* @__PURE__ */ page(async ({ url }) => comparePair(exampleOf(url)));

export const action = /* @__PURE__ */ page(async (scope) =>
  formAction(scope, async (form) => {
    const pair = parseForm(form, namePairSchema);
    await limitByAddress(scope, "name-match");
    return json(comparePair(pair));
  }),
);

export default function Features() {
  const trial = useTrial(useLoaderData<typeof loader>());
  return (
    <>
      <PageBanner
        title="Checks before every payment"
        intro="Six features that help you pay the right account, and show that you checked."
        entry={LEGAL_FORM_ENTRY}
      />
      <FeaturesSection features={FEATURES} />
      <NameTrial trial={trial} />
      <FeatureDetails />
      <CallToAction
        title="See it with your own payees."
        text="14 days to try it, no card needed."
        action={{ label: "Get Started", to: sitePaths.register }}
      />
    </>
  );
}
