import { page } from "~/http/page.server";
import { textAnswer } from "~/http/responses.server";
import { DAY_MS, toIso } from "~/kernel/dates";
import { linkPaths } from "~/kernel/paths/links";
import { sitePaths } from "~/kernel/paths/site";

/** The standard requires less than a year, so that nobody relies on an outdated file. */
const VALID_MS = 180 * DAY_MS;

/** RFC 9116. */
export const loader = /* @__PURE__ */ page(async ({ services }) => {
  const { appOrigin, contact } = services.config;
  const lines = [
    ...(contact.email ? [`Contact: mailto:${contact.email}`] : []),
    `Contact: ${appOrigin}${sitePaths.contact}`,
    `Expires: ${toIso(services.clock.now() + VALID_MS)}`,
    "Preferred-Languages: en",
    `Canonical: ${appOrigin}${linkPaths.securityText}`,
    `Policy: ${appOrigin}${sitePaths.security}#report`,
  ];
  return textAnswer(`${lines.join("\n")}\n`, "text/plain");
});
