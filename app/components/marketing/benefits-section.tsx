import type { Situation } from "~/components/marketing/home-content";
import { Section } from "~/components/marketing/section";
import { WorkedExample } from "~/components/marketing/worked-example";
import { Icon } from "~/components/ui/icons";

/** What changes in four situations, and a real case with its figures. */
export function BenefitsSection({ situations }: { situations: readonly Situation[] }) {
  return (
    <Section id="benefits" kicker="Benefits" title="What changes for accounts payable">
      <div className="grid gap-12 lg:grid-cols-[1.5fr_1fr] lg:gap-16">
        <ul className="divide-y divide-line self-start border-line border-y">
          {situations.map((row) => (
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
