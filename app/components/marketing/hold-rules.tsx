import { Section } from "~/components/marketing/section";
import { Icon } from "~/components/ui/icons";

const RULES = [
  { when: "Not trusted yet", text: "The payee is neither whitelisted nor verified for these details." },
  { when: "Something changed", text: "A bank detail changed, and nobody has decided since." },
  { when: "The payee objects", text: "They said that the details are not theirs." },
  { when: "The names disagree", text: "The name given with the payment is not exactly the payee's." },
  { when: "It looks paid already", text: "The same payee, amount and reference within 30 days." },
  {
    when: "Contact and bank details moved together",
    text: "Email or phone and the bank details changed within 30 days.",
  },
  { when: "The BSB cannot be paid", text: "It is unknown, closed, merged, or takes no direct entry." },
  {
    when: "A large first payment",
    text: "The first one to this payee, above a limit that you set (A$10,000 to begin with).",
  },
] as const;

/** What holds a payment, as the product ships. */
export function HoldRules() {
  return (
    <Section
      id="rules"
      kicker="Rules"
      title="What holds a payment"
      intro="Eight rules, on from the first day. Any one of them holds the payment, and each says why; you may turn each to a warning, or off."
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
