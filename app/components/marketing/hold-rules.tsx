import { HOLD_RULES } from "~/components/marketing/hold-rules-content";
import { Section } from "~/components/marketing/section";
import { Icon } from "~/components/ui/icons";

const RULES = Object.values(HOLD_RULES);

/** What holds a payment, with the rules as a new organisation gets them. */
export function HoldRules() {
  return (
    <Section
      id="rules"
      kicker="Rules"
      title="What holds a payment"
      intro={`${RULES.length} rules hold payments from the first day. Any one of them holds the payment and says why. Others warn. You can change each rule to a warning or turn it off.`}
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
