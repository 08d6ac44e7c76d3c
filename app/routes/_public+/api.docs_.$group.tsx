import { useLoaderData } from "@remix-run/react";
import { apiSurroundings } from "~/api/calls.server";
import { apiGroup } from "~/api/reference.server";
import type { FieldTable, ShownCall } from "~/api/reference.view";
import { publicPage } from "~/components/marketing/meta";
import { CodeBlock, DocsPage, MarkedText } from "~/components/public-api/docs-page";
import { page } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";
import { sitePaths } from "~/kernel/paths/site";

export const { handle, headers, meta } = publicPage<typeof loader>((group) => ({
  path: sitePaths.apiDocsGroup(group?.id ?? ""),
  title: `${group?.title ?? "Not found"}: API`,
  description: group?.intro ?? "",
}));

export const loader = /* @__PURE__ */ page(async ({ services, params }) => {
  const group = apiGroup(apiSurroundings(services.config), params.group ?? "");
  if (!group) throw notFound();
  return group;
});

export default function ApiDocsGroup() {
  const { id, title, intro, calls, groups } = useLoaderData<typeof loader>();
  return (
    <DocsPage title={title} intro={intro} contents={{ groups, current: id, here: calls }}>
      {calls.map((call) => (
        <CallReference key={call.id} call={call} />
      ))}
    </DocsPage>
  );
}

function CallReference({ call }: { call: ShownCall }) {
  const { id, method, path, title, text, access, notes, tables, examples, answers, refusals } = call;
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-20 border-line border-t py-10 first:border-t-0 first:pt-0"
    >
      <h2 id={`${id}-title`} className="display text-2xl">
        {title}
      </h2>
      <p className="figures mt-2 break-all font-mono text-base">
        <span className="font-semibold">{method}</span> {path}
      </p>
      {text && (
        <p className="mt-3 max-w-[68ch]">
          <MarkedText>{text}</MarkedText>
        </p>
      )}
      <p className="mt-3 max-w-[68ch] text-ink-soft [&_code]:font-mono [&_code]:text-sm">
        <MarkedText>{[access, ...notes].join(" ")}</MarkedText>
      </p>
      {tables.map((table) => (
        <Fields key={table.title} table={table} />
      ))}
      {examples.map((example) => (
        <div key={example.title}>
          <h3 className="mt-6 font-semibold text-base">Example: {example.title}</h3>
          <CodeBlock label={`${title}, ${example.title}`}>{example.request}</CodeBlock>
        </div>
      ))}
      <Answers title={title} answers={answers} />
      {refusals.length > 0 && <Refusals refusals={refusals} />}
    </section>
  );
}

function Fields({ table }: { table: FieldTable }) {
  return (
    <>
      <h3 className="mt-6 font-semibold text-base">{table.title}</h3>
      <dl className="mt-2 border-line border-t">
        {table.fields.map(({ name, type, isRequired, text }) => (
          <div key={name} className="grid gap-x-6 border-line border-b py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="figures break-words font-mono text-sm">
              {name}
              {isRequired && <span className="font-sans text-ink-soft"> required</span>}
            </dt>
            <dd className="text-base">
              <span className="break-words text-ink-soft">{type}</span>
              {text && (
                <span className="block">
                  <MarkedText>{text}</MarkedText>
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Answers({ title, answers }: { title: string; answers: ShownCall["answers"] }) {
  return answers.map(({ status, text, body }) => (
    <div key={status}>
      <h3 className="mt-6 font-semibold text-base">Answer {status}</h3>
      <p className="mt-1 max-w-[68ch]">{text}</p>
      {body && (
        <details className="mt-2">
          <summary className="cursor-pointer text-accent-text underline underline-offset-2">Show the body</summary>
          <CodeBlock label={`${title}, answer ${status}`}>{body}</CodeBlock>
        </details>
      )}
    </div>
  ));
}

function Refusals({ refusals }: { refusals: ShownCall["refusals"] }) {
  return (
    <>
      <h3 className="mt-6 font-semibold text-base">Refused with</h3>
      <dl className="mt-2 border-line border-t">
        {refusals.map(({ status, code, text }) => (
          <div key={code} className="grid gap-x-6 border-line border-b py-2 sm:grid-cols-[18rem_minmax(0,1fr)]">
            <dt className="figures break-words font-mono text-sm">
              {status} {code}
            </dt>
            <dd>
              <MarkedText>{text}</MarkedText>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
