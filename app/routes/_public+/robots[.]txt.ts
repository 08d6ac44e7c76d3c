import { page } from "~/http/page.server";
import { textAnswer } from "~/http/responses.server";
import { appPaths } from "~/kernel/paths/app";
import { linkPaths } from "~/kernel/paths/links";
import { folders } from "~/kernel/paths/site";

/** RFC 9309. Pages behind the sign-in are not for robots; payee links contain a token and are never listed. */
export const loader = /* @__PURE__ */ page(async ({ services }) =>
  textAnswer(
    `User-agent: *
Disallow: ${folders.api}/
Disallow: ${linkPaths.payeeLink("")}
Disallow: ${appPaths.dashboard}
Disallow: ${folders.admin}/
Allow: /

Sitemap: ${services.config.appOrigin}${linkPaths.siteMap}
`,
    "text/plain",
  ),
);
