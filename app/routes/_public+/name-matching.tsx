import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { PageHandle } from "~/components/layout/page-handle";
import { publicMeta } from "~/components/marketing/meta";
import { Comparison } from "~/components/marketing/name-matching/comparison";
import { Limits } from "~/components/marketing/name-matching/limits";
import { Method } from "~/components/marketing/name-matching/method";
import { NameTrial } from "~/components/marketing/name-trial";
import { TRIAL_EXAMPLES, type Trial } from "~/components/marketing/name-trial-content";
import { PageBanner } from "~/components/marketing/page-banner";
import { compareExample, compareTyped } from "~/http/name-trial.server";
import { page } from "~/http/page.server";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction<typeof loader> = ({ matches, location }) =>
  publicMeta({
    matches,
    location,
    path: "/name-matching",
    title: "Name matching",
    description:
      "How PayeeProof compares the name on an invoice with the name at the bank, measured beside general libraries, with its limits.",
  });

export const loader = /* @__PURE__ */ page(async (scope): Promise<Trial> => compareExample(scope.url, TRIAL_EXAMPLES));

export const action = /* @__PURE__ */ page(compareTyped);

export default function NameMatching() {
  const example = useLoaderData<typeof loader>();
  const trial = useActionData<typeof action>() ?? example;
  return (
    <>
      <PageBanner
        title="How names are compared"
        intro="The method, what we measured, what it cannot do, and a box to try it in."
        entry={{
          given: { label: "On the invoice", value: "Nguyen & Sons P/L" },
          held: { label: "At the bank", value: "Nguyen and Sons Pty Ltd" },
          verdict: { tone: "verified", word: "Exact" },
        }}
      />
      <Method />
      <NameTrial trial={trial} path="/name-matching" />
      <Comparison />
      <Limits />
    </>
  );
}
