import { data, type LinksFunction, type MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  LiveReload,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { ErrorPage } from "~/components/layout/error-page";
import { fontHrefs } from "~/components/layout/fonts";
import { Messages } from "~/components/layout/messages";
import { FOOTER_SECTIONS, frameOf, isOwnAccount, PUBLIC_LINKS } from "~/components/layout/navigation";
import { useNonce } from "~/components/layout/nonce";
import { NotFound } from "~/components/layout/not-found";
import type { PageHandle } from "~/components/layout/page-handle";
import { PublicLayout } from "~/components/layout/public-layout";
import { SignedInLayout } from "~/components/layout/signed-in-layout";
import { isOpenTo, menusFor } from "~/components/layout/viewer";
import { NoOrganization } from "~/components/organizations/no-organization";
import { OrganizationPicker } from "~/components/organizations/organization-picker";
import { StandingNotice } from "~/components/organizations/standing-notice";
import { takeFlash } from "~/http/flash.server";
import { page } from "~/http/page.server";
import { readResponseState } from "~/http/response-state.server";
import { findPerson } from "~/http/session.server";
import { readTheme } from "~/http/theme.server";
import { describeViewer } from "~/modules/members/viewer.queries.server";
import stylesHref from "./tailwind.css";

export const links: LinksFunction = () => [
  ...fontHrefs.map((href) => ({
    rel: "preload",
    as: "font",
    type: "font/woff2",
    href,
    crossOrigin: "anonymous" as const,
  })),
  { rel: "stylesheet", href: stylesHref },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

/** For addresses without a page of their own, and for pages that could not be made. */
export const meta: MetaFunction = ({ error }) => {
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  if (!error) return [{ title: "PayeeProof" }];
  const title = `${isMissing ? "Page not found" : "Something went wrong"} · PayeeProof`;
  return [{ title }, { name: "robots", content: "noindex" }];
};

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, request } = scope;
  const [person, waiting, theme] = await Promise.all([
    findPerson(scope),
    takeFlash(services, request),
    readTheme(request),
  ]);
  const user = person && (await describeViewer(services, person));
  const year = new Date(services.clock.now()).getUTCFullYear();
  const { appEnv, appOrigin } = services.config;
  const left = readResponseState(scope);
  const flash = left.flash ?? waiting?.flash ?? null;
  const hasErrors = left.hasErrors ?? false;
  const body = { user, theme, year, flash, hasErrors, origin: appOrigin, isTest: appEnv !== "production" };
  return data(body, waiting ? { headers: { "Set-Cookie": waiting.clear } } : {});
});

function useRoot() {
  return useRouteLoaderData<typeof loader>("root");
}

/** A page that needs no script says so in its handle; a waiting message or choice brings them all the same. */
function useScripts(): boolean {
  const isQuiet = useMatches().some((match) => (match.handle as PageHandle | undefined)?.scripts === false);
  const root = useRoot();
  return root?.flash || root?.user?.needsSelection ? true : !isQuiet;
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const root = useRoot();
  const theme = root?.theme ?? "system";
  const hasScripts = useScripts();
  return (
    <html lang="en-AU" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        <Messages flash={root?.flash} />
        {children}
        {hasScripts && <ScrollRestoration nonce={nonce} />}
        {hasScripts && <Scripts nonce={nonce} />}
        <LiveReload nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

/** The frame that the specification gives each path, around a page or around what went wrong with it. */
function Frame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const root = useRoot();
  const theme = root?.theme ?? "system";
  const user = root?.user;
  const frame = frameOf(pathname, Boolean(user));
  if (frame === "own") return children;
  if (frame === "signed-in" && user && !user.needsSelection) {
    return (
      <SignedInLayout
        {...menusFor(user)}
        user={user}
        organizationName={user.organizationName}
        testMode={root?.isTest}
        logoutAction="/logout"
        theme={theme}
      >
        {isOpenTo(user, pathname) ? children : <StandingNotice {...user} />}
      </SignedInLayout>
    );
  }
  const options = user?.pendingOrganizations ?? [];
  const isWithoutOrganization = frame === "signed-in" && user?.needsSelection && !isOwnAccount(pathname);
  return (
    <>
      <div {...(options.length > 0 ? INERT : {})}>
        <PublicLayout
          links={PUBLIC_LINKS}
          signedIn={Boolean(user)}
          sections={FOOTER_SECTIONS}
          copyright={root ? `© ${root.year} PayeeProof` : "© PayeeProof"}
          theme={theme}
        >
          {isWithoutOrganization ? <NoOrganization /> : children}
        </PublicLayout>
      </div>
      {root && options.length > 0 && (
        <OrganizationPicker options={options} productDomain={new URL(root.origin).hostname} />
      )}
    </>
  );
}

/** React 18 knows the attribute only as text. */
const INERT = { inert: "" };

export function ErrorBoundary() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const message =
    isRouteErrorResponse(error) && typeof error.data?.message === "string" ? error.data.message : undefined;
  return (
    <Frame>
      {status === 404 ? <NotFound /> : <ErrorPage status={status} message={message} retryHref={pathname + search} />}
    </Frame>
  );
}
