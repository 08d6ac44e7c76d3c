import { Icon } from "~/components/ui/elements";
import { Amount } from "~/components/ui/page-parts";
import type { Situation } from "./home-content";
import { Section } from "./section";

/** The amounts from the judgment, in cents, rounded to the dollar. */
const PAID_TO_CRIMINAL = 23_540_000;
const RECOVERED = 4_354_100;
const ORDERED_TO_PAY_AGAIN = 19_185_900;

const CASE_NOTE =
  "https://www.lavan.com.au/advice/commercial_corporate_litigation/Beware_of_Scams_Who_foots_the_bill_when_a_scammer_succeeds";
const SCAM_REPORT =
  "https://www.nasc.gov.au/news/australians-better-protected-as-reported-scam-losses-fell-by-almost-26-per-cent";
const SCAM_TYPES =
  "https://www.indue.com.au/2025/08/06/targeting-scams-report-of-the-national-anti-scam-centre-on-scams-data-and-activity-2024";

const linkClass = "text-accent-text underline underline-offset-2";

/** A published case with figures and sources, and what the product would have done at each point. */
function WorkedExample() {
  return (
    <section
      aria-labelledby="example-title"
      className="self-start rounded-base border border-line bg-surface shadow-rest"
    >
      <div className="p-5 sm:p-6">
        <h3 id="example-title" className="font-semibold text-lg tracking-[-0.01em]">
          A real case: Mobius v Inoteq
        </h3>
        <p className="mt-1 text-base text-ink-soft">
          In 2022 an email from a supplier&rsquo;s hacked mailbox gave new bank details. The customer paid two invoices
          to that account. In December 2024 a court ordered the customer to pay the supplier the money that was not
          recovered.
        </p>
        <dl className="mt-4 divide-y divide-line border-line border-y text-base">
          <Figure term="Paid to the criminal's account" cents={PAID_TO_CRIMINAL} />
          <Figure term="Recovered" cents={RECOVERED} />
          <Figure term="Ordered to pay again" cents={ORDERED_TO_PAY_AGAIN} isTotal />
        </dl>
        <p className="mt-4 text-base">
          <strong className="font-semibold">With PayeeProof</strong> the changed account number takes the supplier off
          the whitelist, opens a verification and holds the payment. A message about the change goes to the
          supplier&rsquo;s former contact. The payment stays on hold until a reviewer decides.
        </p>
      </div>
      <p className="border-line border-t px-5 py-3 text-ink-soft text-sm sm:px-6">
        Sources:{" "}
        <a href={CASE_NOTE} className={linkClass}>
          case note on [2024] WADC 114
        </a>
        . Australians reported $152.6 million lost to payment redirection in 2024 (
        <a href={SCAM_REPORT} className={linkClass}>
          National Anti-Scam Centre
        </a>
        ,{" "}
        <a href={SCAM_TYPES} className={linkClass}>
          by type of scam
        </a>
        ).
      </p>
    </section>
  );
}

function Figure({ term, cents, isTotal }: { term: string; cents: number; isTotal?: boolean }) {
  return (
    <div className={`flex items-baseline justify-between gap-4 py-2.5 ${isTotal ? "font-semibold" : ""}`}>
      <dt>{term}</dt>
      <dd>
        <Amount cents={cents} />
      </dd>
    </div>
  );
}

/** Four situations with and without the product, and a real case with its figures. */
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
