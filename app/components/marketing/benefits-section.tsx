import { Section } from "~/components/marketing/section";
import { Icon } from "~/components/ui/icons";

const ROWS = [
  {
    event: "A mail says that the bank details have changed",
    before: "Somebody types the new numbers in.",
    after: "The payee leaves the whitelist and every payment waits until the change is checked.",
  },
  {
    event: "The name on the invoice is not the name on the account",
    before: "Nobody compares them until the money is gone.",
    after: "Both names stand side by side, the difference marked.",
  },
  {
    event: "The person who entered a payee also approves it",
    before: "It is against the policy, and it happens.",
    after: "With the second-person policy on, the server refuses it.",
  },
  {
    event: "The auditor asks who checked, and when",
    before: "A search through mailboxes.",
    after: "A sealed trail, exported in one click.",
  },
] as const;

/** What changes, situation by situation, and how it might sound in a customer's words. */
export function BenefitsSection() {
  return (
    <Section id="benefits" kicker="Benefits" title="The same Tuesday, without the bad part">
      <div className="grid gap-12 lg:grid-cols-[1.7fr_1fr] lg:gap-16">
        <ul className="divide-y divide-line border-line border-y">
          {ROWS.map((row) => (
            <li key={row.event} className="py-5">
              <h3 className="font-semibold text-md">{row.event}</h3>
              <div className="mt-2 grid gap-x-8 gap-y-1.5 text-base sm:grid-cols-2">
                <p className="flex gap-2 text-ink-soft">
                  <Icon name="x" className="mt-0.5 size-4.5 text-review" />
                  <span>
                    <span className="sr-only">Usually: </span>
                    {row.before}
                  </span>
                </p>
                <p className="flex gap-2">
                  <Icon name="check" className="mt-0.5 size-4.5 text-verified" />
                  <span>
                    <span className="sr-only">With PayeeProof: </span>
                    {row.after}
                  </span>
                </p>
              </div>
            </li>
          ))}
        </ul>
        <Testimonial />
      </div>
    </Section>
  );
}

function Testimonial() {
  return (
    <figure className="self-center">
      <p className="inline-flex rounded-full bg-pending-wash px-2.5 py-0.5 font-medium text-pending text-sm border border-pending-line">
        Example, not yet a customer
      </p>
      <blockquote className="display mt-4 text-2xl">
        &ldquo;The pay run used to start with hope. Now it starts with a list of what has changed since the last
        one.&rdquo;
      </blockquote>
      <figcaption className="mt-4 text-base text-ink-soft">
        What we would like an accounts-payable lead to say of us. Real words will stand here when somebody has said
        them.
      </figcaption>
    </figure>
  );
}
