import { useLoaderData } from "@remix-run/react";
import { BenefitsSection } from "~/components/marketing/benefits-section";
import { parseDemoStep } from "~/components/marketing/demo-card";
import { DEMO_PAYEE, SITUATIONS, STEPS } from "~/components/marketing/home-content";
import { HowItWorksSection } from "~/components/marketing/how-it-works-section";
import { publicPage } from "~/components/marketing/meta";
import { Differing, PageBanner } from "~/components/marketing/page-banner";
import { CallToAction, Section } from "~/components/marketing/section";
import { Icon } from "~/components/ui/elements";
import { page } from "~/http/page.server";
import { sitePaths } from "~/kernel/paths/site";

/** The rules that hold a payment by default, by rule id, in the product's order. */
export const HOLD_RULES: Readonly<Record<string, { title: string; text: string }>> = {
  supplier_unknown: {
    title: "No payee for the bill",
    text: "A list of bills names a supplier that is not exactly one of your payees.",
  },
  payee_disputed: { title: "Disputed by the payee", text: "The payee said that the details are not theirs." },
  bank_answer: {
    title: "Contradicted by the bank",
    text: "A bank answered that the account has a different name, is closed or does not exist.",
  },
  former_account: {
    title: "Another payee's former account",
    text: "The account belonged to another payee until that payee's bank details changed, or belongs to an archived payee.",
  },
  details_changed: {
    title: "Bank details or name changed",
    text: "A bank detail or the payee's name changed and the change has not been reviewed.",
  },
  accounting_account_differs: {
    title: "Changed in the accounting system",
    text: "Your accounting system has a different bank account for the payee, and no person has decided which is right.",
  },
  invoice_account_differs: {
    title: "Not the account on the invoice",
    text: "An invoice that you checked names a different account, or has a finding that stops it and that nobody has decided.",
  },
  bill_account_differs: {
    title: "Another supplier's bill",
    text: "The payment has the number of an approved bill in Xero or MYOB, from a supplier with a different account.",
  },
  contact_and_bank_changed: {
    title: "Contact and bank details both changed",
    text: "The email or phone and the bank details changed within the same 30 days.",
  },
  many_changes: { title: "Several edits in a day", text: "The payee was edited three or more times in 24 hours." },
  payment_company: {
    title: "Moved to a payment company",
    text: "The account moved from a bank to a payment company.",
  },
  payee_not_trusted: {
    title: "Payee not verified",
    text: "The payee is neither whitelisted nor verified for these details.",
  },
  one_person: {
    title: "One person alone",
    text: "The bank details came from your accounting system, it is not known who entered them there, and the person who approved them also records the payment. This rule depends on your second-person policy and cannot be turned off separately.",
  },
  above_own_limit: {
    title: "Above the limits of the people involved",
    text: "The people who approved the payee and recorded the payment may approve less than this amount to one payee in a day. This rule depends on your approval limits and cannot be turned off separately.",
  },
  known_name_new_account: {
    title: "Known name, unknown account",
    text: "The name is one of your payees' names, but the account is not theirs.",
  },
  name_differs: { title: "Names do not match", text: "The name given with the payment is not exactly the payee's." },
  shared_account: {
    title: "One account, two names",
    text: "A payment file also pays the same account under a different name.",
  },
  staff_account: {
    title: "Account of your own staff",
    text: "The account is on a list of your staff's accounts that you have loaded.",
  },
  lookalike_domain: {
    title: "Look-alike email domain",
    text: "The payee's email domain is easily mistaken for its former one, another payee's or your own.",
  },
  bsb_unusable: {
    title: "BSB not usable",
    text: "The BSB is unknown, closed or merged, or does not accept direct entry payments.",
  },
  duplicate_payment: {
    title: "Possible duplicate",
    text: "The same payee, amount and reference within 30 days.",
  },
  repeated_after_restore: {
    title: "Perhaps already paid",
    text: "The same account and amount as a payment whose record we lost because we had to restore our database from a copy.",
  },
  bill_amount_differs: {
    title: "Not the approved amount",
    text: "Xero or MYOB has approved bills from the payee, but the amount matches neither one of them nor their sum.",
  },
  first_payment_limit: {
    title: "Large first payment",
    text: "The first payment to this payee is above a limit that you set (A$10,000 by default).",
  },
};

const RULES = Object.values(HOLD_RULES);

/** What holds a payment, with the rules at a new organisation's defaults. */
function HoldRules() {
  return (
    <Section
      id="rules"
      kicker="Rules"
      title="What holds a payment"
      intro={`${RULES.length} rules hold payments from the first day. Any one of them holds the payment and says why. Other rules warn. You can change all but two of them to a warning or turn them off.`}
      layout="split"
    >
      <ul className="border-line border-b">
        {RULES.map((rule) => (
          <li key={rule.title} className="flex gap-3 border-line border-t py-4 text-md">
            <Icon name="pause" className="mt-0.5 text-review" />
            <p>
              <span className="block font-semibold">{rule.title}</span>
              {rule.text}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export const { handle, headers, meta } = publicPage({
  path: sitePaths.howItWorks,
  title: "How it works",
  description:
    "From an invoice to an authorised payment in four steps: enter the details, check them, verify the payee at their own bank, authorise the payment.",
});

export const loader = /* @__PURE__ */ page(async ({ url }) => ({ step: parseDemoStep(url.searchParams.get("step")) }));

export default function HowItWorks() {
  const { step } = useLoaderData<typeof loader>();
  return (
    <>
      <PageBanner
        title="Check the payee, then pay"
        intro="PayeeProof compares the details you were given with details that were already confirmed, and shows every difference."
        entry={{
          given: {
            label: "On this invoice",
            value: (
              <>
                062-000 <Differing>8765 4321</Differing>
              </>
            ),
          },
          held: {
            label: "On earlier invoices",
            value: (
              <>
                062-000 <Differing>1234 5678</Differing>
              </>
            ),
          },
          verdict: { tone: "review", icon: "pause", word: "Held" },
        }}
      />
      <HowItWorksSection steps={STEPS} payee={DEMO_PAYEE} step={step} action={sitePaths.howItWorks} />
      <HoldRules />
      <BenefitsSection situations={SITUATIONS} />
      <CallToAction
        title="Start with your own payees."
        text="14 days to try it, no card needed."
        action={{ label: "Get Started", to: sitePaths.register }}
      />
    </>
  );
}
