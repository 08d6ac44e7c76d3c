import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import type { PageHandle } from "~/components/layout/page-handle";
import { BenefitsSection } from "~/components/marketing/benefits-section";
import { CallToAction } from "~/components/marketing/call-to-action";
import { ContactSection } from "~/components/marketing/contact-section";
import { parseDemoStep } from "~/components/marketing/demo-step";
import { QUESTIONS } from "~/components/marketing/faq-content";
import { FaqSection } from "~/components/marketing/faq-section";
import { FeaturesSection } from "~/components/marketing/features-section";
import { Hero } from "~/components/marketing/hero";
import { HERO_NAMES, HeroFigure } from "~/components/marketing/hero-figure";
import { DEMO_PAYEE, FEATURES, SITUATIONS, STEPS } from "~/components/marketing/home-content";
import { HowItWorksSection } from "~/components/marketing/how-it-works-section";
import { publicMeta } from "~/components/marketing/meta";
import { PricingSection } from "~/components/marketing/pricing-section";
import { faqData, organizationData, productData } from "~/components/marketing/structured-data";
import { page } from "~/http/page.server";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";
import { markNames, matchNamesForPage } from "~/modules/name-match";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction<typeof loader> = ({ matches, data: loaded }) =>
  publicMeta({
    matches,
    path: sitePaths.home,
    title: "PayeeProof: know who you are paying",
    description:
      "PayeeProof checks a payee's BSB, account number and account name before your organisation pays, and holds payments to changed or unverified details.",
    structured: () => loaded?.structured ?? [],
  });

/** What the page says beside its own words comes from here, so that it is in the HTML and in no script. */
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
            <Link
              to={`${sitePaths.signIn}?tab=register`}
              className="font-medium text-accent-text underline underline-offset-2"
            >
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
        action={{ label: "Get Started", to: sitePaths.signIn }}
      />
    </>
  );
}
