import { useLocation } from "@remix-run/react";
import { ACCOUNT_LINKS, ORGANIZATIONS_LINK, pagesOf, RAIL, USERS_LINK } from "~/components/layout/navigation";
import { PageProblem } from "~/components/layout/page-problem";
import { PublicFrame } from "~/components/layout/public-frame";
import { useRootData } from "~/components/layout/root-data";
import { SignedInFrame } from "~/components/layout/signed-in-frame";
import { page } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { linkPaths } from "~/kernel/paths/links";
import { sitePaths } from "~/kernel/paths/site";

/** The first segment of a path: "payees" for a payee's page. */
const firstWordOf = (path: string) => path.split("/")[1] ?? "";

/** Pages with their own frame. */
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

/** Pages of the signed-in layout: those of the rail and menus, and two more from the specification (section 2). */
const SIGNED_IN = new Set([
  ...[...RAIL.flatMap(pagesOf), ...ACCOUNT_LINKS, USERS_LINK, ORGANIZATIONS_LINK].map(({ to }) => firstWordOf(to)),
  firstWordOf(appPaths.alerts),
  firstWordOf(appPaths.search),
  firstWordOf(appPaths.sampleData),
  "integrations",
]);

export function frameOf(pathname: string, isSignedIn: boolean): "own" | "signed-in" | "public" {
  if (OWN_FRAME.has(firstWordOf(pathname))) return "own";
  return isSignedIn && SIGNED_IN.has(firstWordOf(pathname)) ? "signed-in" : "public";
}

/** Every path without a page. */
export const loader = /* @__PURE__ */ page(async () => {
  throw notFound();
});

export const action = loader;

export default function NoPage() {
  return null;
}

export function ErrorBoundary() {
  const { pathname } = useLocation();
  const isSignedIn = Boolean(useRootData()?.user);
  const Frame = frameOf(pathname, isSignedIn) === "signed-in" ? SignedInFrame : PublicFrame;
  return (
    <Frame>
      <PageProblem />
    </Frame>
  );
}
