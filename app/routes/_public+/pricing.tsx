import { useLoaderData } from "@remix-run/react";
import { QUESTIONS } from "~/components/marketing/faq-content";
import { FaqSection } from "~/components/marketing/faq-section";
import { publicPage } from "~/components/marketing/meta";
import { PageBanner } from "~/components/marketing/page-banner";
import { PricingSection } from "~/components/marketing/pricing-section";
import { Prose } from "~/components/marketing/prose";
import { CallToAction, Section } from "~/components/marketing/section";
import { StatedLimits } from "~/components/marketing/stated-limits";
import { productData } from "~/components/marketing/structured-data";
import { page } from "~/http/page.server";
import { sitePaths } from "~/kernel/paths/site";

export const { handle, headers, meta } = publicPage({
  path: sitePaths.pricing,
  title: "Pricing",
  description:
    "One plan: A$500.00 per month including GST, with unlimited users and unlimited payment verifications, and the limits against misuse. 14 days to try it, no card needed.",
  structured: (_, origin) => [productData(origin)],
});

/** The loader provides long texts, so that they are in the HTML but not in a script. */
export const loader = /* @__PURE__ */ page(async () => ({ questions: QUESTIONS }));

export default function Pricing() {
  const { questions } = useLoaderData<typeof loader>();
  return (
    <>
      <PageBanner
        title="One plan, one price"
        intro="The price is the same for any number of people, payees and payments. We charge nothing per check; where a bank data provider charges for a bulk check, the page says how much before you start."
        entry={{
          given: { label: "On this page", value: "A$500.00 per month" },
          held: { label: "On your invoice", value: "A$500.00 per month" },
          verdict: { tone: "verified", word: "Exact" },
        }}
      />
      <PricingSection title="What the plan includes" />
      <Section id="limits" kicker="Limits" title="Limits against misuse" layout="split">
        <Prose>
          <StatedLimits />
        </Prose>
      </Section>
      <FaqSection questions={questions} />
      <CallToAction
        title="Try it with your own payees."
        text="14 days, no card needed."
        action={{ label: "Get Started", to: sitePaths.register }}
      />
    </>
  );
}
