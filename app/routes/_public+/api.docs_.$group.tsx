import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { PageHandle } from "~/components/layout/page-handle";
import { publicMeta } from "~/components/marketing/meta";
import { CallReference } from "~/components/public-api/call-reference";
import { DocsPage } from "~/components/public-api/docs-page";
import { apiSurroundings } from "~/http/api-surroundings.server";
import { page } from "~/http/page.server";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { notFound } from "~/kernel/app-error";
import { sitePaths } from "~/kernel/paths/site";
import { apiGroup } from "~/modules/public-api/reference.server";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  publicMeta({
    matches,
    path: sitePaths.apiDocsGroup(data?.id ?? ""),
    title: `${data?.title ?? "Not found"}: API`,
    description: data?.intro ?? "",
  });

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
