import { appPaths } from "~/kernel/paths/app";
import { linkPaths } from "~/kernel/paths/links";
import { sitePaths } from "~/kernel/paths/site";
import { ACCOUNT_LINKS, MAIN_LINKS, ORGANIZATIONS_LINK, USERS_LINK } from "./navigation";

/** The first word of a path: "payees" of a payee's page. */
const firstWordOf = (path: string) => path.split("/")[1] ?? "";

/** Pages that bring a frame of their own. */
const OWN_FRAME = new Set(
  [
    sitePaths.signIn,
    linkPaths.payeeLink(""),
    linkPaths.certificates,
    linkPaths.bankConsent,
    linkPaths.confirmEmail(""),
    linkPaths.resetPassword(""),
    linkPaths.emailChange(""),
    linkPaths.invitation(""),
    sitePaths.selectOrganization,
    sitePaths.logout,
  ].map(firstWordOf),
);

/** Pages of the signed-in layout: what its header and menus lead to, and two more of the specification (section 2). */
const SIGNED_IN = new Set([
  ...[...MAIN_LINKS, ...ACCOUNT_LINKS, USERS_LINK, ORGANIZATIONS_LINK].map(({ to }) => firstWordOf(to)),
  firstWordOf(appPaths.alerts),
  "integrations",
]);

/** Which frame a page has. */
export function frameOf(pathname: string, isSignedIn: boolean): "own" | "signed-in" | "public" {
  if (OWN_FRAME.has(firstWordOf(pathname))) return "own";
  return isSignedIn && SIGNED_IN.has(firstWordOf(pathname)) ? "signed-in" : "public";
}
