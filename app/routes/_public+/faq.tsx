import { useLoaderData } from "@remix-run/react";
import { QUESTIONS } from "~/components/marketing/faq-content";
import { FaqSection } from "~/components/marketing/faq-section";
import { publicPage } from "~/components/marketing/meta";
import { PageBanner } from "~/components/marketing/page-banner";
import { CallToAction } from "~/components/marketing/section";
import { faqData } from "~/components/marketing/structured-data";
import { page } from "~/http/page.server";
import { sitePaths } from "~/kernel/paths/site";

export const { handle, headers, meta } = publicPage<typeof loader>({
  path: sitePaths.faq,
  title: "FAQ",
  description:
    "What PayeeProof checks, how long it takes, what happens to a flagged payment, and what it adds to your bank's own name check.",
  structured: (loaded) => (loaded ? [faqData(loaded.questions)] : []),
});

/** The loader provides long texts, so that they are in the HTML but not in a script. */
export const loader = /* @__PURE__ */ page(async () => ({ questions: QUESTIONS }));

export default function Faq() {
  const { questions } = useLoaderData<typeof loader>();
  return (
    <>
      <PageBanner
        title="Frequently asked questions"
        intro="If your question is not here, contact us. The help page explains how to use the product."
        entry={{
          given: { label: "What the email says", value: "“Our bank details have changed”" },
          held: { label: "What to do first", value: "Call a number you already had" },
          verdict: { tone: "pending", word: "Ask first" },
        }}
      />
      <FaqSection questions={questions} title="Six common questions" />
      <CallToAction
        title="Do you have another question?"
        text="We answer every message."
        action={{ label: "Get in touch", to: sitePaths.contact }}
      />
    </>
  );
}
