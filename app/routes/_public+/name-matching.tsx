import { json, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { PageHandle } from "~/components/layout/page-handle";
import { publicMeta } from "~/components/marketing/meta";
import { Comparison } from "~/components/marketing/name-matching/comparison";
import { Limits } from "~/components/marketing/name-matching/limits";
import { Method } from "~/components/marketing/name-matching/method";
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
    path: sitePaths.nameMatching,
    title: "Name matching",
    description:
      "How PayeeProof compares the name on an invoice with the name at the bank, measured beside general libraries, with its limits.",
  });

/** The box works as it does on the page of features. */
export const loader = /* @__PURE__ */ page(async ({ url }) => comparePair(exampleOf(url)));

export const action = /* @__PURE__ */ page(async (scope) =>
  formAction(scope, async (form) => {
    const pair = parseForm(form, namePairSchema);
    await limitByAddress(scope, "name-match");
    return json(comparePair(pair));
  }),
);

export default function NameMatching() {
  const trial = useTrial(useLoaderData<typeof loader>());
  return (
    <>
      <PageBanner
        title="How names are compared"
        intro="The method, what we measured, what it cannot do, and a box to try it in."
        entry={LEGAL_FORM_ENTRY}
      />
      <Method />
      <NameTrial trial={trial} path={sitePaths.nameMatching} />
      <Comparison />
      <Limits />
    </>
  );
}
