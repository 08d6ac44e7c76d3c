import geist from "@fontsource-variable/geist/files/geist-latin-wght-normal.woff2";
import newsreader from "@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2";
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
  useNavigation,
} from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ErrorPage, useProblem } from "~/components/layout/error-page";
import { Messages } from "~/components/layout/messages";
import * as onServer from "~/components/layout/on-demand.server";
import { PageOutlet, useRequestedBoundary } from "~/components/layout/page-outlet";
import { PlainFrame } from "~/components/layout/plain-frame";
import { type PageHandle, type RootData, useLoadedRootData, useRootData } from "~/components/layout/root-data";
import { onDemand } from "~/components/on-demand";
import { readTheme } from "~/http/cookies.server";
import { page, readResponseState, takeFlash } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { findPerson } from "~/http/session.server";
import { describeLegalEntity } from "~/kernel/legal-entity";
import { describeViewer } from "~/modules/accounts/members/switch-organization.server";
import { readNotices } from "~/modules/core/operations/notice.server";
import { countUnread } from "~/modules/messages/alerts/alerts.server";
import { loadAgainWhenRefused } from "./components/forms/form";
import { useNonce } from "./components/layout/root-data";
import { formOwnerOf } from "./services-and-actor";
import stylesHref from "./tailwind.css";

const UnknownLink = onDemand(onServer.UnknownLink, () =>
  import("~/components/layout/unknown-link").then(({ UnknownLink }) => UnknownLink),
);

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
  const counting = readAhead(scope, (reader) => countUnread(services, reader));
  const [person, waiting, theme, notices] = await Promise.all([
    findPerson(scope),
    takeFlash(services, request),
    readTheme(request),
    readNotices(services),
  ]);
  const user = person && (await describeViewer(services, person, counting));
  const year = new Date(services.clock.now()).getUTCFullYear();
  const { appEnv, appOrigin, legal } = services.config;
  const left = readResponseState(scope);
  const flash = left.flash ?? waiting?.flash ?? null;
  const hasErrors = left.hasErrors ?? false;
  const body: RootData = {
    user,
    typist: person && formOwnerOf(person),
    theme,
    year,
    flash,
    hasErrors,
    origin: appOrigin,
    isTest: appEnv !== "production",
    legalLine: describeLegalEntity(legal),
    notices,
  };
  return data(body, waiting ? { headers: { "Set-Cookie": waiting.clear } } : {});
});

/** A form opened in another organisation is refused once; sent again, it must name the present organisation. */
export const shouldRevalidate = loadAgainWhenRefused;

/**
 * Scroll positions are kept by history entry. A link to a part of the page creates an entry without a key, like the
 * first page of a visit, whose position would then override the part.
 */
const scrollKey = ({ key, hash }: ReturnType<typeof useLocation>): string =>
  key === "default" && hash !== "" ? `${hash} ${performance.now()}` : key;

/** A page that needs no script says so in its handle; a waiting message or choice loads the scripts anyway. */
function useScripts(): boolean {
  const isQuiet = useMatches().some((match) => (match.handle as PageHandle | undefined)?.scripts === false);
  const root = useRootData();
  return root?.flash || root?.user?.needsSelection ? true : !isQuiet;
}

/** How often a page that polls reloads in a browser without scripts, as its loader says. */
type Following = { watch?: { refreshSeconds: number | null } | null } | null | undefined;

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const theme = useRootData()?.theme ?? "system";
  const flash = useLoadedRootData()?.flash;
  const hasScripts = useScripts();
  const seconds = (useMatches().at(-1)?.data as Following)?.watch?.refreshSeconds;
  return (
    <html lang="en-AU" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
        {seconds && (
          // In the head, because the body must not contain it.
          <noscript>
            <meta httpEquiv="refresh" content={`${seconds}`} />
          </noscript>
        )}
      </head>
      <body>
        {hasScripts && <NavigationEffects />}
        <Messages flash={flash} />
        <SiteNotices />
        {children}
        {hasScripts && <ScrollRestoration nonce={nonce} getKey={scrollKey} />}
        <LiveReload nonce={nonce} />
        {/* Last, because a browser's React passes over what follows the body's last element. */}
        {hasScripts && typeof document === "undefined" && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

/** Shown above every page, in any frame: a super admin's notice, and parts of the service that do not work. */
const SiteNotices = () => (
  <>
    {useRootData()?.notices.map((line) => (
      <p key={line} data-notice>
        {line}
      </p>
    ))}
  </>
);

/** The frames are in the routes: `_public+/_layout`, `_app+/_layout`, and the pages that have their own. */
export default function App() {
  const hasFrameRoute = useMatches().length > 2;
  return hasFrameRoute ? <Outlet /> : <PageOutlet />;
}

/** For pages without a frame of their own, and for a load that failed as a whole. */
export function ErrorBoundary() {
  const Asked = useRequestedBoundary("frame");
  const { pathname, search } = useLocation();
  const { requestId, status, message } = useProblem();
  if (Asked) return <Asked />;
  return (
    <PlainFrame>
      {status === 404 ? (
        <UnknownLink />
      ) : (
        <ErrorPage {...{ status, message, requestId }} retryHref={pathname + search} />
      )}
    </PlainFrame>
  );
}

/**
 * Does for client navigations what the browser does for new documents: moves focus to the page's heading, announces the
 * new title in a live region, and shows a thin bar if the next page takes longer than 300 ms.
 */
function NavigationEffects() {
  const { pathname, hash } = useLocation();
  const { state } = useNavigation();
  const [title, setTitle] = useState("");
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    setTitle(document.title);
    if (hash || isAlertFocused()) return;
    const heading = document.getElementById("page-title") ?? document.getElementById("main");
    heading?.focus({ preventScroll: true });
  }, [pathname, hash]);
  return (
    <>
      {state !== "idle" && <div aria-hidden="true" className="slow-bar" />}
      <p role="status" className="sr-only">
        {title}
      </p>
    </>
  );
}

/** The summary of what was wrong with a form has taken the focus, and keeps it. */
const isAlertFocused = () => document.activeElement?.getAttribute("role") === "alert";

/** Addresses of the two font files, for the root's `links` (rel preload, as font, crossOrigin anonymous). */
const fontHrefs: readonly string[] = [geist, newsreader];
