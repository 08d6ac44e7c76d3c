import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { PageHandle } from "~/components/layout/page-handle";
import { publicMeta } from "~/components/marketing/meta";
import { Prose } from "~/components/marketing/prose";
import { CodeBlock } from "~/components/public-api/code-block";
import { DocsPage } from "~/components/public-api/docs-page";
import { AllCalls, Guide } from "~/components/public-api/guide";
import { apiSurroundings } from "~/http/api-surroundings.server";
import { page } from "~/http/page.server";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";
import { apiGuide } from "~/modules/public-api/reference.server";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.apiDocs,
    title: "API",
    description: "The JSON API of PayeeProof: tokens, errors, repeating a call safely, every call with examples.",
  });

export const loader = /* @__PURE__ */ page(async ({ services }) => apiGuide(apiSurroundings(services.config)));

export default function ApiDocs() {
  const { sections, script, groups, version } = useLoaderData<typeof loader>();
  const here = [{ id: "quick-start", title: "Quick start" }, ...sections, { id: "calls", title: "All calls" }];
  return (
    <DocsPage
      title="The API"
      intro="Everything that checks a payee or a pay run can be done by your own systems: the same rules, the same reasons and the same audit trail as on the pages."
      contents={{ groups, here }}
    >
      <Prose>
        <section id="quick-start" aria-labelledby="quick-start-title">
          <h2 id="quick-start-title">Quick start</h2>
          <p>
            This script adds a payee, has the payee&rsquo;s bank asked, checks a pay run and downloads the file that was
            cleared. It needs curl, jq, and an API token with the scopes to read and write payees, verifications and
            payments. Put your token in the place of <code>pp_your_token</code>.
          </p>
          <CodeBlock label="The script">{script}</CodeBlock>
        </section>
        {sections.map((section) => (
          <Guide key={section.id} section={section} />
        ))}
        <AllCalls groups={groups} />
        <p>
          For programs that make clients: <a href={sitePaths.apiDocument}>the same as an OpenAPI 3.1 document</a>,
          version {version}.
        </p>
      </Prose>
    </DocsPage>
  );
}
