import { Section } from "~/components/marketing/section";
import { Icon } from "~/components/ui/icons";

const RULES = [
  { when: "Payee not verified", text: "The payee is neither whitelisted nor verified for these details." },
  { when: "Bank details changed", text: "A bank detail changed and the change has not been reviewed." },
  { when: "Disputed by the payee", text: "The payee said that the details are not theirs." },
  { when: "Names do not match", text: "The name given with the payment is not exactly the payee's." },
  { when: "Possible duplicate", text: "The same payee, amount and reference within 30 days." },
  {
    when: "Contact and bank details both changed",
    text: "The email or phone and the bank details changed within the same 30 days.",
  },
  { when: "BSB not usable", text: "The BSB is unknown, closed or merged, or does not accept direct entry payments." },
  {
    when: "Large first payment",
    text: "The first payment to this payee is above a limit that you set (A$10,000 by default).",
  },
] as const;

/** What holds a payment, with the rules as a new organisation gets them. */
export function HoldRules() {
  return (
    <Section
      id="rules"
      kicker="Rules"
      title="What holds a payment"
      intro="Eight rules are on from the first day. Any one of them holds the payment and says why. You can change each rule to a warning or turn it off."
      layout="split"
    >
      <ul className="border-line border-b">
        {RULES.map((rule) => (
          <li key={rule.when} className="flex gap-3 border-line border-t py-4 text-md">
            <Icon name="hand" className="mt-0.5 text-review" />
            <p>
              <span className="block font-semibold">{rule.when}</span>
              {rule.text}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
