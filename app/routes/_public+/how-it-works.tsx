import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { PageHandle } from "~/components/layout/page-handle";
import { BenefitsSection } from "~/components/marketing/benefits-section";
import { CallToAction } from "~/components/marketing/call-to-action";
import { parseDemoStep } from "~/components/marketing/demo-step";
import { Differing } from "~/components/marketing/entry";
import { HoldRules } from "~/components/marketing/hold-rules";
import { DEMO_PAYEE, SITUATIONS, STEPS } from "~/components/marketing/home-content";
import { HowItWorksSection } from "~/components/marketing/how-it-works-section";
import { publicMeta } from "~/components/marketing/meta";
import { PageBanner } from "~/components/marketing/page-banner";
import { page } from "~/http/page.server";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction<typeof loader> = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.howItWorks,
    title: "How it works",
    description:
      "From an invoice to an authorised payment in four steps: enter the details, check them, verify the payee at their own bank, authorise the payment.",
  });

export const loader = /* @__PURE__ */ page(async ({ url }) => ({ step: parseDemoStep(url.searchParams.get("step")) }));

export default function HowItWorks() {
  const { step } = useLoaderData<typeof loader>();
  return (
    <>
      <PageBanner
        title="Check the payee, then pay"
        intro="PayeeProof compares the details you were given with details that were already confirmed, and shows every difference."
        entry={{
          given: {
            label: "On this invoice",
            value: (
              <>
                062-000 <Differing>8765 4321</Differing>
              </>
            ),
          },
          held: {
            label: "On earlier invoices",
            value: (
              <>
                062-000 <Differing>1234 5678</Differing>
              </>
            ),
          },
          verdict: { tone: "review", icon: "pause", word: "Held" },
        }}
      />
      <HowItWorksSection steps={STEPS} payee={DEMO_PAYEE} step={step} action={sitePaths.howItWorks} />
      <HoldRules />
      <BenefitsSection situations={SITUATIONS} />
      <CallToAction
        title="Start with your own payees."
        text="14 days to try it, no card needed."
        action={{ label: "Get Started", to: sitePaths.signIn }}
      />
    </>
  );
}
