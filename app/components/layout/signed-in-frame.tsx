import { UNSAFE_RemixContext as RemixContext, useLocation, useNavigate } from "@remix-run/react";
import { type ReactNode, useContext, useEffect } from "react";
import { onDemand } from "~/components/on-demand";
import { cx, Icon, type IconName, Link } from "~/components/ui/elements";
import { LogoMark } from "~/components/ui/logo";
import { Menu } from "~/components/ui/menu";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { showUnread } from "~/modules/messages/alerts/unread";
import type { PageNotice } from "~/services-and-actor";
import { findCurrent, isCurrent } from "./nav-link";
import { type NavEntry, pagesOf } from "./navigation";
import * as onServer from "./on-demand.server";
import { type RootData, useRootData } from "./root-data";
import { SkipLink } from "./skip-link";
import type { Theme } from "./theme-toggle";
import { isOpenTo, type Menus, menusFor } from "./viewer";

const DELAY_MS = 1_000;
/** So few files at once that no press waits for them. */
const AT_ONCE = 4;
const EVERY_MS = 150;

/**
 * Loads the scripts of pages that the present one links to, shortly after it is shown. If the connection is lost later,
 * those pages can still report it in our layout; otherwise the browser would show its own error page.
 */
function useLinkedPages(): void {
  const manifest = useContext(RemixContext)?.manifest;
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page brings links of its own
  useEffect(() => {
    if (!manifest) return;
    const load = (waiting: string[]) => {
      waiting.splice(0, AT_ONCE).forEach(preload);
      if (waiting.length > 0) timer = setTimeout(load, EVERY_MS, waiting);
    };
    // By then the router knows the pages.
    let timer = setTimeout(() => {
      const routes = Object.values(manifest.routes);
      load([...new Set(routes.flatMap(({ module, imports = [] }) => [module, ...imports]))]);
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [manifest, pathname]);
}

function preload(href: string) {
  if (document.head.querySelector(`link[rel="modulepreload"][href="${href}"]`)) return;
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = href;
  document.head.appendChild(link);
}

/** Ctrl+K opens the search. Ctrl+Enter in a text box presses its form's button, if there is only one. */
function useShortcuts(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.repeat || !(event.ctrlKey || event.metaKey)) return;
      if (event.key === "k") {
        event.preventDefault();
        navigate(appPaths.search);
      }
      if (event.key === "Enter" && event.target instanceof HTMLTextAreaElement) {
        const buttons = event.target.form?.querySelectorAll<HTMLButtonElement>("button[type=submit]");
        if (buttons?.length === 1) buttons[0]?.click();
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [navigate]);
}

const OutsiderFrame = onDemand(onServer.OutsiderFrame, () =>
  import("./outsider-frame").then(({ OutsiderFrame }) => OutsiderFrame),
);
const AccountMenu = onDemand(onServer.AccountMenu, () =>
  import("./account-menu").then(({ AccountMenu }) => AccountMenu),
);
const StandingNotice = onDemand(onServer.StandingNotice, () =>
  import("~/components/accounts/organizations/standing-notice").then(({ StandingNotice }) => StandingNotice),
);

/** The frame of an organisation's pages and of their errors (specification, section 2, Layouts). */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const root = useRootData();
  const user = root?.user;
  useLinkedPages();
  useShortcuts();
  if (!root || !user || user.needsSelection) return <OutsiderFrame>{children}</OutsiderFrame>;
  return (
    <SignedInLayout
      {...menusFor(user)}
      user={user}
      organizationName={user.organizationName}
      unreadAlerts={user.organizationName === null ? undefined : showUnread(user.unreadAlerts)}
      testMode={root.isTest}
      theme={root.theme}
      notices={user.notices}
      passkey={user.passkey}
    >
      {isOpenTo(user, pathname) ? children : <StandingNotice {...user} />}
    </SignedInLayout>
  );
}

type PasskeyAsked = NonNullable<RootData["user"]>["passkey"];

/** Says that the organisation requires a passkey, with a link to add one. */
function PasskeyNotice({ isDue, hasOne, from }: NonNullable<PasskeyAsked>) {
  return (
    <p data-notice>
      {isDue
        ? "To decide or pay, your organisation requires that you sign in with a passkey. "
        : `From ${from} your organisation requires a passkey to decide or pay. `}
      {hasOne ? (
        <Link to={sitePaths.logout} className="text-accent-text underline underline-offset-2">
          Sign out, then sign in again with your passkey
        </Link>
      ) : (
        <Link to={appPaths.passkeys} className="text-accent-text underline underline-offset-2">
          Add a passkey
        </Link>
      )}
    </p>
  );
}

interface SignedInLayoutProps extends RailProps {
  /** Shown above every page: the closing date, and delayed weaker policies. */
  notices: readonly PageNotice[];
  passkey: PasskeyAsked;
  children: ReactNode;
}

/** The frame of signed-in pages. Children are rendered in `<main id="main">`, wide enough for tables. */
function SignedInLayout({ notices, passkey, children, ...rail }: SignedInLayoutProps) {
  return (
    <div className="desk">
      <SkipLink />
      <Rail {...rail} />
      <main id="main" tabIndex={-1} className="desk-main">
        {rail.organizationName && (
          <p className="mb-4 hidden text-sm print:block">{rail.organizationName}, from PayeeProof</p>
        )}
        {notices.map(({ text, to, label }) => (
          <p key={to} data-notice>
            {text}{" "}
            <Link to={to} className="text-accent-text underline underline-offset-2">
              {label}
            </Link>
          </p>
        ))}
        {passkey && <PasskeyNotice {...passkey} />}
        {children}
      </main>
    </div>
  );
}

export interface RailProps extends Menus {
  user: { firstName: string; lastName?: string | null; email: string };
  organizationName?: string | null;
  /** Shows a badge when bank checks use simulators rather than real banks. */
  testMode?: boolean;
  /** The number of unread alerts as text; absent when there is no bell. */
  unreadAlerts?: string;
  theme: Theme;
}

/** The navigation on the left; on a narrow screen, a bar with a menu. */
function Rail(props: RailProps) {
  const { entries, organizationName, testMode, unreadAlerts } = props;
  const location = useLocation();
  // Whatever is open beside the Inbox, the person is in the Inbox.
  const pathname = /[?&]from=inbox\b/.test(location.search) ? appPaths.verifications : location.pathname;
  return (
    <header data-chrome className="rail">
      <div className="lg:hidden">
        <Menu
          label="Menu"
          align="left"
          summary={<Icon name="menu" className="size-6" />}
          summaryClassName="grid size-10 place-items-center hover:bg-sunken"
          panelClassName="w-[min(20rem,calc(100vw-2rem))]"
        >
          <Entries label="Main, small screen" entries={entries} pathname={pathname} isOpen />
          <Link to={sitePaths.help} className="rail-link mt-0.5">
            <Icon name="question" className="size-4.5" />
            Help
          </Link>
        </Menu>
      </div>
      <Link to={appPaths.dashboard} className="rail-owner">
        <LogoMark />
        <span className="sr-only">PayeeProof dashboard</span>
        {organizationName && (
          <span aria-hidden="true" title={organizationName} className="rail-name">
            {organizationName}
          </span>
        )}
      </Link>
      {testMode && (
        <span className="w-fit rounded-full border border-pending-line bg-pending-wash px-2 py-0.5 font-medium text-pending text-xs lg:max-xl:mx-auto xl:mx-3">
          Test
        </span>
      )}
      {organizationName && entries.length > 0 && (
        <RailLink to={appPaths.search} icon="search" pathname={pathname} className="rail-search">
          Search
          <span aria-hidden="true" className="key">
            Ctrl K
          </span>
        </RailLink>
      )}
      <div className="rail-words">
        <Entries label="Main" entries={entries} pathname={pathname} />
      </div>
      {unreadAlerts !== undefined && <Bell unread={unreadAlerts} pathname={pathname} />}
      <RailLink to={sitePaths.help} icon="question" pathname={pathname} className="max-lg:hidden">
        Help
      </RailLink>
      <AccountMenu {...props} pathname={pathname} />
    </header>
  );
}

interface EntriesProps {
  /** The landmark's name. */
  label: string;
  entries: readonly NavEntry[];
  pathname: string;
  /** Shows the pages below every entry, not only the current one. */
  isOpen?: boolean;
}

/** The entries, and the pages below the current one. */
function Entries({ label, entries, pathname, isOpen }: EntriesProps) {
  const page = findCurrent(pathname, entries.flatMap(pagesOf));
  return (
    <nav aria-label={label}>
      <ul className="grid gap-0.5">
        {entries.map((entry) => {
          const isHere = page !== undefined && pagesOf(entry).some(({ to }) => to === page.to);
          const pages = (isOpen || isHere) && entry.pages;
          return (
            <li key={entry.label}>
              <Link
                to={entry.to}
                prefetch="intent"
                aria-current={isHere ? (page.to === entry.to ? "page" : "true") : undefined}
                className="rail-link"
              >
                {entry.icon && <Icon name={entry.icon} className="size-4.5" />}
                {entry.label}
              </Link>
              {pages && (
                <ul>
                  {pages.map(({ label: word, to }) => (
                    <li key={to}>
                      <Link to={to} aria-current={to === page?.to ? "page" : undefined} className="rail-page">
                        {word}
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

interface RailLinkProps {
  to: string;
  icon: IconName;
  pathname: string;
  className?: string;
  /** Shown beside the label; in the bar, over the icon. */
  count?: ReactNode;
  children: ReactNode;
}

/** One further link. On a narrow screen it is an icon in the bar. */
function RailLink({ to, icon, pathname, className, count, children }: RailLinkProps) {
  return (
    <Link
      to={to}
      prefetch="intent"
      aria-current={isCurrent(pathname, to) ? "page" : undefined}
      className={cx("rail-link rail-tool", className)}
    >
      <Icon name={icon} className="size-4.5" />
      <span>{children}</span>
      {count}
    </Link>
  );
}

/** The link to the alerts, with the number of unread ones. */
function Bell({ unread, pathname }: { unread: string; pathname: string }) {
  const count = unread !== "0" && (
    <span aria-hidden="true" data-over-drawing className="rail-count">
      {unread}
    </span>
  );
  return (
    <RailLink to={appPaths.alerts} icon="bell" pathname={pathname} className="relative" count={count}>
      Alerts{unread !== "0" && <span className="sr-only">, {unread} unread</span>}
    </RailLink>
  );
}
