import { GROUPS } from "~/api/endpoint.server";
import { FOOTER_SECTIONS, PUBLIC_LINKS } from "~/components/layout/public-navigation";
import { ARTICLES } from "~/components/marketing/blog/articles";
import { page } from "~/http/page.server";
import { textAnswer, xmlText } from "~/http/responses.server";
import { sitePaths } from "~/kernel/paths/site";

/** Every public page that a header or footer links to, each once. */
export const PUBLIC_PATHS: readonly string[] = [
  ...new Set([...PUBLIC_LINKS, ...FOOTER_SECTIONS.flatMap((section) => section.items)].map((item) => item.to)),
];

/** https://www.sitemaps.org/protocol.html */
export const loader = /* @__PURE__ */ page(async ({ services }) => {
  const { appOrigin } = services.config;
  const reference = Object.keys(GROUPS).map(sitePaths.apiDocsGroup);
  const pages = [...PUBLIC_PATHS, ...reference, ...ARTICLES.map((article) => sitePaths.article(article.slug))];
  const entries = pages.map((path) => `  <url><loc>${xmlText(appOrigin + path)}</loc></url>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
  return textAnswer(body, "application/xml");
});
