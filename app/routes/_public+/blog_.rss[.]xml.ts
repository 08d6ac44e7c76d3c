import { ARTICLES } from "~/components/marketing/blog/articles";
import { page } from "~/http/page.server";
import { textAnswer, xmlText } from "~/http/responses.server";
import { sitePaths } from "~/kernel/paths/site";

/** RSS 2.0 (https://www.rssboard.org/rss-specification). */
export const loader = /* @__PURE__ */ page(async ({ services }) => {
  const { appOrigin } = services.config;
  const items = ARTICLES.map((article) => {
    const address = xmlText(appOrigin + sitePaths.article(article.slug));
    return `    <item>
      <title>${xmlText(article.title)}</title>
      <link>${address}</link>
      <guid isPermaLink="true">${address}</guid>
      <pubDate>${new Date(article.publishedAt).toUTCString()}</pubDate>
      <description>${xmlText(article.summary)}</description>
    </item>`;
  });
  const self = xmlText(`${appOrigin}${sitePaths.blogFeed}`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>PayeeProof blog</title>
    <link>${xmlText(`${appOrigin}${sitePaths.blog}`)}</link>
    <atom:link href="${self}" rel="self" type="application/rss+xml" />
    <description>On payment redirection, supplier records, and how organisations keep their money.</description>
    <language>en-au</language>
${items.join("\n")}
  </channel>
</rss>
`;
  return textAnswer(body, "application/rss+xml");
});
