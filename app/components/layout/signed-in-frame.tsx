import { UNSAFE_RemixContext as RemixContext, useLocation } from "@remix-run/react";
import { type ReactNode, useContext, useEffect } from "react";
import { cx } from "~/components/cx";
import { onDemand } from "~/components/on-demand";
import { Avatar } from "~/components/ui/avatar";
import { Email } from "~/components/ui/email";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import { LogoMark } from "~/components/ui/logo";
import { Menu, MenuButton, MenuGroup, MenuLink } from "~/components/ui/menu";
import { appPaths } from "~/kernel/paths/app";
import { showUnread } from "~/modules/messages/alerts/unread";
import { LogoutForm } from "./logout-form";
import { findCurrent, isCurrent, type NavItem } from "./nav-link";
import * as onServer from "./on-demand.server";
import { useRootData } from "./root-data";
import { SkipLink } from "./skip-link";
import { type Theme, ThemeToggle } from "./theme-toggle";
import { isOpenTo, menusFor } from "./viewer";

const DELAY_MS = 1_000;

/**
 * Fetches the scripts of the pages that the shown one links to, a moment after it is there. When the connection is lost
 * later, those pages can still say so in our layout; without their scripts the browser would show its own error page.
 */
function useLinkedPages(): void {
  const manifest = useContext(RemixContext)?.manifest;
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page brings links of its own
  useEffect(() => {
    if (!manifest) return;
    const timer = setTimeout(() => {
      for (const { module, imports = [] } of Object.values(manifest.routes)) [module, ...imports].forEach(preload);
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

const OutsiderFrame = onDemand(onServer.OutsiderFrame, () =>
  import("./outsider-frame").then(({ OutsiderFrame }) => OutsiderFrame),
);
const StandingNotice = onDemand(onServer.StandingNotice, () =>
  import("~/components/accounts/organizations/standing-notice").then(({ StandingNotice }) => StandingNotice),
);

/** Around the pages of an organisation, and around what went wrong with one (specification, section 2, Layouts). */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const root = useRootData();
  const user = root?.user;
  useLinkedPages();
  if (!root || !user || user.needsSelection) return <OutsiderFrame>{children}</OutsiderFrame>;
  return (
    <SignedInLayout
      {...menusFor(user)}
      user={user}
      organizationName={user.organizationName}
      unreadAlerts={user.organizationName === null ? undefined : showUnread(user.unreadAlerts)}
      testMode={root.isTest}
      theme={root.theme}
      notice={user.waitingPolicies}
    >
      {isOpenTo(user, pathname) ? children : <StandingNotice {...user} />}
    </SignedInLayout>
  );
}

interface SignedInLayoutProps extends SignedInHeaderProps {
  /** A standing notice above the page: weaker policies that wait. */
  notice: string | null;
  children: ReactNode;
}

/** The frame of the signed-in pages. The children are drawn in `<main id="main">`, as wide as tables need. */
function SignedInLayout({ notice, children, ...header }: SignedInLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <SignedInHeader {...header} />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-7xl flex-1 px-4 py-7 sm:px-6 sm:py-9">
        {header.organizationName && (
          <p className="mb-4 hidden text-sm print:block">{header.organizationName}, from PayeeProof</p>
        )}
        {notice && <p data-notice>{notice}</p>}
        {children}
      </main>
    </div>
  );
}

interface SignedInHeaderProps {
  /** Dashboard, Payee Verification, Manage Payees, Payments. */
  links: readonly NavItem[];
  /** My Account: Profile, Organisation, Settings. */
  accountLinks: readonly NavItem[];
  /** Users, Organizations; empty for people whose role does not include them. */
  adminLinks: readonly NavItem[];
  user: { firstName: string; lastName?: string | null; email: string };
  organizationName?: string | null;
  /** Shown as a badge where bank checks run against simulators, not real banks. */
  testMode?: boolean;
  /** Unread alerts, ready to read; absent where there is no bell. */
  unreadAlerts?: string;
  theme: Theme;
}

/** Header of the signed-in pages. */
function SignedInHeader(props: SignedInHeaderProps) {
  const { links, organizationName, testMode } = props;
  const { pathname } = useLocation();
  const current = findCurrent(pathname, links);
  return (
    <header data-chrome className="sticky top-0 z-20 border-line border-b bg-surface">
      <div className="mx-auto flex h-15 max-w-7xl items-center gap-3 px-4 sm:px-6">
        <MobileNav links={links} pathname={pathname} />
        <Link to={appPaths.dashboard} className="flex min-w-0 flex-1 items-center gap-2.5 rounded-base lg:flex-initial">
          <LogoMark />
          <span className="sr-only">PayeeProof dashboard</span>
          {organizationName && (
            <span
              aria-hidden="true"
              title={organizationName}
              className="line-clamp-2 font-medium text-base leading-5 break-words max-[26rem]:hidden lg:max-xl:text-sm lg:max-xl:leading-4"
            >
              {organizationName}
            </span>
          )}
        </Link>
        {testMode && (
          <span className="rounded-full bg-pending-wash px-2 py-0.5 font-medium text-pending text-xs border border-pending-line">
            Test
          </span>
        )}
        <MainNav links={links} current={current} />
        <div className="ml-auto flex items-center gap-1">
          {props.unreadAlerts !== undefined && <Bell unread={props.unreadAlerts} pathname={pathname} />}
          <AccountMenu {...props} pathname={pathname} />
        </div>
      </div>
    </header>
  );
}

/** Leads to the alerts; the number is how many are unread. */
function Bell({ unread, pathname }: { unread: string; pathname: string }) {
  const isCurrentPage = isCurrent(pathname, appPaths.alerts);
  return (
    <Link
      to={appPaths.alerts}
      prefetch="intent"
      aria-current={isCurrentPage ? "page" : undefined}
      className="relative grid size-10 place-items-center rounded-full border border-transparent hover:bg-sunken aria-[current]:border-accent-text"
    >
      <Icon name="bell" className="size-5" />
      <span className="sr-only">{unread === "0" ? "Alerts" : `Alerts, ${unread} unread`}</span>
      {unread !== "0" && (
        <span
          aria-hidden="true"
          data-over-drawing
          className="figures absolute -top-0.5 -right-0.5 min-w-5 rounded-full border border-surface bg-review px-1 text-center font-semibold text-on-accent text-xs"
        >
          {unread}
        </span>
      )}
    </Link>
  );
}

function AccountMenu(props: SignedInHeaderProps & { pathname: string }) {
  const { user, organizationName, accountLinks, adminLinks, theme, pathname } = props;
  return (
    <Menu
      summaryClassName="flex min-h-10 items-center gap-2 rounded-full py-1 pr-2 pl-1 text-base hover:bg-sunken"
      summary={
        <>
          <Avatar firstName={user.firstName} lastName={user.lastName} />
          <span className="max-xl:sr-only">My Account</span>
          <Icon name="chevronDown" className="size-4 text-ink-soft transition-transform group-open:rotate-180" />
        </>
      }
      panelClassName="w-64"
    >
      <AccountOwner user={user} organizationName={organizationName} />
      <div className="border-line border-t pt-1.5">
        <MenuGroup>
          {accountLinks.map((item) => (
            <MenuLink key={item.to} to={item.to} icon={item.icon} current={isCurrent(pathname, item.to)}>
              {item.label}
            </MenuLink>
          ))}
        </MenuGroup>
        {adminLinks.length > 0 && (
          <MenuGroup label="Admin">
            {adminLinks.map((item) => (
              <MenuLink key={item.to} to={item.to} icon={item.icon} current={isCurrent(pathname, item.to)}>
                {item.label}
              </MenuLink>
            ))}
          </MenuGroup>
        )}
        <MenuGroup>
          <div className="flex items-center justify-between px-2.5 py-1 text-base text-ink-soft">
            Colours
            <ThemeToggle theme={theme} />
          </div>
          <LogoutForm>
            <MenuButton icon="logout">Logout</MenuButton>
          </LogoutForm>
        </MenuGroup>
      </div>
    </Menu>
  );
}

function MobileNav({ links, pathname }: { links: readonly NavItem[]; pathname: string }) {
  return (
    <div className="-ml-2 lg:hidden">
      <Menu
        label="Menu"
        align="left"
        summary={<Icon name="menu" className="size-6" />}
        summaryClassName="grid size-10 place-items-center hover:bg-sunken"
        panelClassName="w-[min(20rem,calc(100vw-2rem))]"
      >
        <nav aria-label="Main, small screen">
          {links.map((item) => (
            <MenuLink key={item.to} to={item.to} icon={item.icon} current={item === findCurrent(pathname, links)}>
              {item.label}
            </MenuLink>
          ))}
        </nav>
      </Menu>
    </div>
  );
}

function MainNav({ links, current }: { links: readonly NavItem[]; current: NavItem | undefined }) {
  return (
    <nav aria-label="Main" className="hidden shrink-0 self-stretch lg:block xl:ml-4">
      <ul className="flex h-full xl:gap-1">
        {links.map((item) => (
          <li key={item.to} className="h-full">
            <Link
              to={item.to}
              prefetch="intent"
              aria-current={item === current ? "page" : undefined}
              className={cx(
                "flex h-full items-center border-y-2 border-t-transparent px-3 text-base whitespace-nowrap -outline-offset-2 lg:max-xl:px-2",
                item === current
                  ? "border-b-accent-text font-medium text-ink"
                  : "border-b-transparent text-ink-soft hover:text-ink",
              )}
            >
              {item.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function AccountOwner({ user, organizationName }: Pick<SignedInHeaderProps, "user" | "organizationName">) {
  return (
    <div className="px-2.5 pt-1.5 pb-2.5">
      <p className="truncate font-medium text-base">{[user.firstName, user.lastName].filter(Boolean).join(" ")}</p>
      <p className="text-ink-soft text-sm">
        <Email value={user.email} />
      </p>
      {organizationName && <p className="mt-1 text-ink-soft text-sm">{organizationName}</p>}
    </div>
  );
}
