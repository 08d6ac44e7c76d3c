import { useLoaderData } from "@remix-run/react";
import { apiSurroundings } from "~/api/calls.server";
import type { GuideSection } from "~/api/guide";
import { apiGuide } from "~/api/reference.server";
import type { ApiGuide } from "~/api/reference.view";
import { publicPage } from "~/components/marketing/meta";
import { Prose } from "~/components/marketing/prose";
import { CodeBlock, DocsPage, MarkedText } from "~/components/public-api/docs-page";
import { Link } from "~/components/ui/elements";
import { page } from "~/http/page.server";
import { sitePaths } from "~/kernel/paths/site";

export const { handle, headers, meta } = publicPage({
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
      intro="Your own systems can check payees and pay runs with the same rules, the same reasons and the same audit trail as on the pages."
      contents={{ groups, here }}
    >
      <Prose>
        <section id="quick-start" aria-labelledby="quick-start-title">
          <h2 id="quick-start-title">Quick start</h2>
          <p>
            This script adds a payee, asks the payee&rsquo;s bank, checks a pay run and downloads the cleared file. It
            needs curl, jq, and an API token with the scopes to read and write payees, verifications and payment files.
            Replace <code>pp_your_token</code> with your token.
          </p>
          <CodeBlock label="The script">{script}</CodeBlock>
        </section>
        {sections.map((section) => (
          <Guide key={section.id} section={section} />
        ))}
        <AllCalls groups={groups} />
        <p>
          To generate a client, use <a href={sitePaths.apiDocument}>the same reference as an OpenAPI 3.1 document</a>,
          version {version}.
        </p>
      </Prose>
    </DocsPage>
  );
}

function Guide({ section }: { section: GuideSection }) {
  const { id, title, paragraphs, rows = [], code } = section;
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <MarkedText>{paragraph}</MarkedText>
        </p>
      ))}
      {rows.length > 0 && (
        <dl>
          {rows.map(([name, text]) => (
            <div key={name} className="grid gap-x-6 border-line border-b py-2 sm:grid-cols-[1fr_1fr]">
              <dt className="break-words">{name}</dt>
              <dd className="text-ink-soft">{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {code && <CodeBlock label={`${title}, example`}>{code}</CodeBlock>}
    </section>
  );
}

function AllCalls({ groups }: Pick<ApiGuide, "groups">) {
  return (
    <section id="calls" aria-labelledby="calls-title">
      <h2 id="calls-title">All calls</h2>
      {groups.map(({ id, title, calls }) => (
        <div key={id}>
          <h3>
            <Link to={sitePaths.apiDocsGroup(id)}>{title}</Link>
          </h3>
          <ul>
            {calls.map((call) => (
              <li key={call.id}>
                <Link to={`${sitePaths.apiDocsGroup(id)}#${call.id}`}>{call.title}</Link>{" "}
                <code>
                  {call.method} {call.path}
                </code>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
