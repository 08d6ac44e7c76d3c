import { json, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { PageHandle } from "~/components/layout/page-handle";
import { CallToAction } from "~/components/marketing/call-to-action";
import { FeatureDetails } from "~/components/marketing/feature-details";
import { FeaturesSection } from "~/components/marketing/features-section";
import { FEATURES } from "~/components/marketing/home-content";
import { publicMeta } from "~/components/marketing/meta";
import { NameTrial } from "~/components/marketing/name-trial";
import { exampleOf, LEGAL_FORM_ENTRY, useTrial } from "~/components/marketing/name-trial-content";
import { PageBanner } from "~/components/marketing/page-banner";
import { formAction, parseForm } from "~/http/form-action.server";
import { page } from "~/http/page.server";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { sitePaths } from "~/kernel/paths/site";
import { namePairSchema } from "~/modules/name-match/name-pair.schema.server";
import { comparePair } from "~/modules/name-match/name-pair.view";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction<typeof loader> = ({ matches, location }) =>
  publicMeta({
    matches,
    location,
    path: sitePaths.features,
    title: "Features",
    description:
      "Whitelist verification, alerts, multi-step verification, sealed audit trails, a JSON API and reasons for every held payment. Try the name matcher.",
  });

export const loader = /* @__PURE__ */ page(async ({ url }) => comparePair(exampleOf(url)));

export const action = /* @__PURE__ */ page(async (scope) =>
  formAction(scope, async (form) => {
    const pair = parseForm(form, namePairSchema);
    await limitByAddress(scope, "name-match");
    return json(comparePair(pair));
  }),
);

export default function Features() {
  const trial = useTrial(useLoaderData<typeof loader>());
  return (
    <>
      <PageBanner
        title="Checks before every payment"
        intro="Six features that help you pay the right account, and show that you checked."
        entry={LEGAL_FORM_ENTRY}
      />
      <FeaturesSection features={FEATURES} />
      <NameTrial trial={trial} />
      <FeatureDetails />
      <CallToAction
        title="See it with your own payees."
        text="14 days to try it, no card needed."
        action={{ label: "Get Started", to: sitePaths.signIn }}
      />
    </>
  );
}
