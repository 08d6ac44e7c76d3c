import { Link, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { BenefitsSection } from "~/components/marketing/benefits-section";
import { ContactSection } from "~/components/marketing/contact-section";
import { parseDemoStep } from "~/components/marketing/demo-card";
import { QUESTIONS } from "~/components/marketing/faq-content";
import { FaqSection } from "~/components/marketing/faq-section";
import { FeaturesSection } from "~/components/marketing/features-section";
import { DEMO_PAYEE, FEATURES, SITUATIONS, STEPS } from "~/components/marketing/home-content";
import { HowItWorksSection } from "~/components/marketing/how-it-works-section";
import { publicPage } from "~/components/marketing/meta";
import { PricingSection } from "~/components/marketing/pricing-section";
import { CallToAction } from "~/components/marketing/section";
import { faqData, organizationData, productData } from "~/components/marketing/structured-data";
import { MarkedName } from "~/components/payees/verification/marked-name";
import { Badge, Button, Icon, type IconName, linkClass } from "~/components/ui/elements";
import { Bsb, Digits } from "~/components/ui/page-parts";
import { ScoreFigure } from "~/components/ui/score-figure";
import { page } from "~/http/page.server";
import { sitePaths } from "~/kernel/paths/site";
import { type MarkedNames, markNames, matchNamesForPage } from "~/modules/name-match/index";

/** An invented payee whose bank has the account under a name that differs by two letters. */
const HERO_NAMES = { invoice: "Harbour Foods Pty Ltd", bank: "Harbour Funds Pty Ltd" } as const;

/** A small version of the product's comparison, marked and scored by the product's own matcher. */
function HeroFigure({ match }: { match: { score: number; names: MarkedNames } }) {
  return (
    <figure className="overflow-clip rounded-base bg-surface shadow-lift border border-line">
      <figcaption className="flex items-center justify-between gap-3 border-line border-b bg-sunken px-5 py-3 text-ink-soft text-sm">
        Example with invented details
        <Badge tone="review" icon="pause">
          Payment held
        </Badge>
      </figcaption>
      <dl className="divide-y divide-line">
        <Side icon="file" label="On the invoice">
          <MarkedName stretches={match.names.submitted} />
        </Side>
        <Side icon="bank" label="At the bank">
          <MarkedName stretches={match.names.held} />
        </Side>
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t px-5 py-4">
        <p className="max-w-[25ch] text-base text-ink-soft">
          The names differ by two letters. A person decides before it is paid.
        </p>
        <ScoreFigure score={match.score} className="w-28" />
      </div>
    </figure>
  );
}

function Side({ icon, label, children }: { icon: IconName; label: string; children: JSX.Element }) {
  return (
    <div className="px-5 py-4">
      <dt className="flex items-center gap-2 text-ink-soft text-sm">
        <Icon name={icon} className="size-4" /> {label}
      </dt>
      <dd className="mt-1 text-xl tracking-[-0.01em]">{children}</dd>
      <dd className="mt-1 flex gap-4 text-base text-ink-soft">
        <Bsb value="062000" />
        <Digits>1234 5678</Digits>
      </dd>
    </div>
  );
}

export const { handle, headers, meta } = publicPage<typeof loader>({
  path: sitePaths.home,
  title: "PayeeProof: know who you are paying",
  description:
    "PayeeProof checks a payee's BSB, account number and account name before your organisation pays, and holds payments to changed or unverified details.",
  structured: (loaded) => loaded?.structured ?? [],
});

/** Text that the loader provides, so that it is in the HTML but not in a script. */
export const loader = /* @__PURE__ */ page(async ({ url, services: { config } }) => ({
  step: parseDemoStep(url.searchParams.get("step")),
  match: compareHeroNames(),
  details: config.contact,
  features: FEATURES,
  steps: STEPS,
  payee: DEMO_PAYEE,
  situations: SITUATIONS,
  questions: QUESTIONS,
  structured: [organizationData(config.appOrigin), productData(config.appOrigin), faqData(QUESTIONS)],
}));

function compareHeroNames() {
  const { invoice, bank } = HERO_NAMES;
  const { score, parts } = matchNamesForPage(invoice, bank);
  return { score, names: markNames(invoice, bank, parts) };
}

export default function Home() {
  const { match, details, features, steps, payee, step, situations, questions } = useLoaderData<typeof loader>();
  return (
    <>
      <Hero
        title="Know who you are paying, before you pay."
        text="PayeeProof checks every payee's BSB, account number and account name before a payment is authorised. It holds payments to changed or unverified details until a person decides, and keeps an audit trail."
        primary={{ label: "Get Started", to: sitePaths.contact }}
        secondary={{ label: "Learn More", to: sitePaths.howItWorks, context: "about how it works" }}
        note={
          <>
            For Australian organisations. 14 days to try it, no card needed.{" "}
            <Link to={sitePaths.register} className={linkClass}>
              Create an account
            </Link>
          </>
        }
        figure={<HeroFigure match={match} />}
      />
      <FeaturesSection features={features} />
      <HowItWorksSection steps={steps} payee={payee} step={step} action={sitePaths.home} />
      <BenefitsSection situations={situations} />
      <PricingSection />
      <FaqSection questions={questions} />
      <ContactSection details={details} />
      <CallToAction
        title="Check your payees before the next pay run."
        text="14 days to try it, no card needed."
        action={{ label: "Get Started", to: sitePaths.register }}
      />
    </>
  );
}

interface HeroProps {
  title: string;
  text: ReactNode;
  primary: { label: string; to: string };
  /** `context` is for screen readers, when the label alone says too little. */
  secondary?: { label: string; to: string; context?: string };
  /** One line below the buttons. */
  note?: ReactNode;
  /** The picture on the right; below the text on a narrow screen. */
  figure?: ReactNode;
}

/** The top section of the home page. */
function Hero({ title, text, primary, secondary, note, figure }: HeroProps) {
  return (
    <section className="relative overflow-clip border-line border-b">
      <div
        aria-hidden="true"
        className="ledger mask-b-from-40% absolute inset-y-0 right-0 left-1/2 opacity-70 max-lg:hidden"
      />
      <div className="relative mx-auto grid max-w-6xl items-center gap-12 px-4 py-16 sm:px-6 sm:py-24 lg:grid-cols-[1.05fr_1fr] lg:gap-14">
        <div>
          <h1 id="page-title" tabIndex={-1} className="display text-4xl">
            {title}
          </h1>
          <div className="mt-5 max-w-[34rem] text-ink-soft text-lg">{text}</div>
          <div data-screen-only className="mt-8 flex flex-wrap gap-3">
            <Button to={primary.to} size="lg">
              {primary.label}
            </Button>
            {secondary && (
              <Button to={secondary.to} size="lg" variant="secondary">
                {secondary.label}
                {secondary.context && <span className="sr-only"> {secondary.context}</span>}
              </Button>
            )}
          </div>
          {note && <p className="mt-5 text-ink-soft text-sm">{note}</p>}
        </div>
        {figure}
      </div>
    </section>
  );
}
