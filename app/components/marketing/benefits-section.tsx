import { Section } from "~/components/marketing/section";
import { WorkedExample } from "~/components/marketing/worked-example";
import { Icon } from "~/components/ui/icons";

const ROWS = [
  {
    event: "An email says that a supplier's bank details have changed",
    before: "The new numbers are entered, and the next payment goes to them.",
    after: "The payee leaves the whitelist. Payments are held until the change has been reviewed.",
  },
  {
    event: "The name on the invoice is not the name on the account",
    before: "The names are not compared before the payment is made.",
    after: "Both names are shown side by side with the differences marked.",
  },
  {
    event: "The person who entered a payee also approves it",
    before: "The policy forbids it, but the software allows it.",
    after: "If you require a second person, PayeeProof refuses it.",
  },
  {
    event: "The auditor asks who checked a payee, and when",
    before: "You search through old emails.",
    after: "You export a sealed audit trail.",
  },
] as const;

/** What changes in four situations, and a real case with its figures. */
export function BenefitsSection() {
  return (
    <Section id="benefits" kicker="Benefits" title="What changes for accounts payable">
      <div className="grid gap-12 lg:grid-cols-[1.5fr_1fr] lg:gap-16">
        <ul className="divide-y divide-line self-start border-line border-y">
          {ROWS.map((row) => (
            <li key={row.event} className="py-5">
              <h3 className="font-semibold text-md">{row.event}</h3>
              <div className="mt-2 grid gap-x-8 gap-y-1.5 text-base sm:grid-cols-2">
                <p className="flex gap-2 text-ink-soft">
                  <Icon name="x" className="mt-0.5 size-4.5 text-review" />
                  <span>
                    <span className="sr-only">Without PayeeProof: </span>
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
        <WorkedExample />
      </div>
    </Section>
  );
}
