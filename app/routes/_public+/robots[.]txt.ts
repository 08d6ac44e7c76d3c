import { page } from "~/http/page.server";
import { textAnswer } from "~/http/text-answer.server";

/** RFC 9309. What is behind the sign-in is not for robots; payee links carry a token and are never listed. */
export const loader = /* @__PURE__ */ page(async ({ services }) =>
  textAnswer(
    `User-agent: *
Disallow: /api/
Disallow: /verify/
Disallow: /dashboard
Disallow: /admin/
Allow: /

Sitemap: ${services.config.appOrigin}/sitemap.xml
`,
    "text/plain",
  ),
);
