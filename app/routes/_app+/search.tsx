import { useLoaderData } from "@remix-run/react";
import { named } from "~/components/layout/named";
import { SearchPage } from "~/components/records/search-page";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { readSearchWords, searchEverything } from "~/modules/records/search.server";

export const { meta, ErrorBoundary } = named("Search", "Error Loading the Search");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const q = readSearchWords(scope.url.searchParams);
  return { q, groups: await searchEverything(scope.services, actor, q) };
});

export default function Search() {
  return <SearchPage {...useLoaderData<typeof loader>()} />;
}
