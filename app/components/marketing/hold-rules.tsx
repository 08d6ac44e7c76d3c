import { Section } from "~/components/marketing/section";
import { Icon } from "~/components/ui/icons";

const RULES = [
  "The payee is neither whitelisted nor verified for these details",
  "A bank detail changed and nobody has decided since",
  "The payee said that the details are not theirs",
  "The name given with the payment is not exactly the payee's",
  "Another of your payees has the same account",
  "Email or phone and bank details changed within 30 days of each other",
  "A first payment above the limit you set",
  "The same payee, amount and reference within 30 days",
  "The BSB is unknown, closed, merged, or takes no direct entry",
  "The email domain is one or two letters away from one you know",
] as const;

/** What holds a payment, as the product ships. */
export function HoldRules() {
  return (
    <Section
      id="rules"
      kicker="Rules"
      title="What holds a payment"
      intro="These hold a payment from the first day. Your organisation can turn each of them to hold, warn or off."
    >
      <ul className="grid gap-x-12 sm:grid-cols-2">
        {RULES.map((rule) => (
          <li key={rule} className="flex gap-3 border-line border-t py-3.5 text-md">
            <Icon name="hand" className="mt-0.5 text-review" />
            {rule}
          </li>
        ))}
      </ul>
    </Section>
  );
}
