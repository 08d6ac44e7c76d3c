import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { OrganizationPicker } from "~/components/accounts/organizations/organization-picker";
import { Button, cx, Icon, Link } from "~/components/ui/elements";
import { Logo } from "~/components/ui/logo";
import { Menu, MenuGroup, MenuLink } from "~/components/ui/menu";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { isCurrent, type NavItem, type NavSection } from "./nav-link";
import { FOOTER_SECTIONS, PUBLIC_LINKS } from "./public-navigation";
import { useRootData } from "./root-data";
import { SkipLink } from "./skip-link";
import { type Theme, ThemeToggle } from "./theme-toggle";

/** React 18 accepts the attribute only as a string. */
const INERT = { inert: "" };

/** The frame of public pages, with the organisation picker over it for a person who has not chosen yet. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const root = useRootData();
  const options = root?.user?.pendingOrganizations ?? [];
  const copyright = root ? `© ${root.year} PayeeProof` : "© PayeeProof";
  return (
    <>
      <div {...(options.length > 0 ? INERT : {})}>
        <PublicLayout
          links={PUBLIC_LINKS}
          signedIn={Boolean(root?.user)}
          sections={FOOTER_SECTIONS}
          copyright={copyright}
          legalLine={root?.legalLine}
          theme={root?.theme ?? "system"}
        >
          {children}
        </PublicLayout>
      </div>
      {root && options.length > 0 && (
        <OrganizationPicker options={options} productDomain={new URL(root.origin).hostname} />
      )}
    </>
  );
}

type PublicLayoutProps = PublicHeaderProps & PublicFooterProps & { children: ReactNode };

/** The marketing site's frame. Children are rendered in `<main id="main">` at full width; sections set their own. */
function PublicLayout({ links, signedIn, sections, copyright, legalLine, theme, children }: PublicLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader links={links} signedIn={signedIn} />
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <PublicFooter sections={sections} copyright={copyright} legalLine={legalLine} theme={theme} />
    </div>
  );
}

interface PublicFooterProps {
  sections: readonly NavSection[];
  /** "© 2026 PayeeProof" */
  copyright: string;
  /** The operator: "PayeeProof is operated by Example Pty Ltd, ABN 53 004 085 616." */
  legalLine?: string | null;
  theme: Theme;
}

function PublicFooter({ sections, copyright, legalLine, theme }: PublicFooterProps) {
  return (
    <footer data-chrome className="mt-auto border-line border-t bg-surface">
      <div className="mx-auto grid max-w-6xl gap-10 px-4 py-12 sm:px-6 md:grid-cols-[1.4fr_2fr]">
        <div>
          <Logo />
          <p className="mt-3 max-w-[34ch] text-base text-ink-soft">
            Checks a payee&rsquo;s bank details before the payment is authorised.
          </p>
        </div>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-8">
          {sections
            .filter((section) => section.items.length > 0)
            .map((section) => (
              <nav key={section.title} aria-label={section.title}>
                <h2 className="font-medium text-base">{section.title}</h2>
                <ul className="mt-2 grid gap-0.5">
                  {section.items.map((item) => (
                    <li key={item.to}>
                      <Link
                        to={item.to}
                        className="inline-flex min-h-8 items-center rounded-base text-base text-ink-soft hover:text-ink hover:underline"
                      >
                        {item.label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </nav>
            ))}
        </div>
      </div>
      <div className="mx-auto max-w-6xl px-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t py-5">
          <p className="text-ink-soft text-sm">
            {copyright}
            {legalLine && <span className="block">{legalLine}</span>}
          </p>
          <ThemeToggle theme={theme} />
        </div>
      </div>
    </footer>
  );
}

interface PublicHeaderProps {
  links: readonly NavItem[];
  /** Login and Get Started both link to /auth, each on its tab. A signed-in visitor sees a link to the dashboard instead. */
  signedIn?: boolean;
}

function PublicHeader({ links, signedIn }: PublicHeaderProps) {
  const { pathname } = useLocation();
  return (
    <header data-chrome className="@container sticky top-0 z-20 border-line border-b bg-paper/95 backdrop-blur-sm">
      <div className="site-head">
        <Link to={sitePaths.home} className="inline-flex rounded-base" aria-label="PayeeProof home">
          <Logo />
        </Link>
        <nav aria-label="Main" className="hidden flex-1 justify-center @[62rem]:block">
          <ul className="flex gap-1">
            {links.map((item) => (
              <li key={item.to}>
                <Link
                  to={item.to}
                  prefetch="intent"
                  aria-current={isCurrent(pathname, item.to) ? "page" : undefined}
                  className={cx(
                    "flex min-h-9 items-center rounded-base px-3 text-base hover:text-ink",
                    isCurrent(pathname, item.to) ? "font-medium text-ink" : "text-ink-soft",
                  )}
                >
                  {item.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-2 @[62rem]:ml-0">
          {signedIn ? (
            <Button to={appPaths.dashboard} size="sm">
              Dashboard
            </Button>
          ) : (
            <>
              <Button to={sitePaths.signIn} variant="quiet" className="max-sm:hidden">
                Login
              </Button>
              <Button to={sitePaths.register}>Get Started</Button>
            </>
          )}
          <MobileMenu links={links} pathname={pathname} signedIn={signedIn} />
        </div>
      </div>
    </header>
  );
}

function MobileMenu({ links, pathname, signedIn }: PublicHeaderProps & { pathname: string }) {
  return (
    <div className="@[62rem]:hidden">
      <Menu
        label="Menu"
        summary={<Icon name="menu" className="size-6" />}
        summaryClassName="grid size-10 place-items-center hover:bg-sunken"
        panelClassName="w-[min(20rem,calc(100vw-2rem))]"
      >
        <nav aria-label="Mobile">
          <MenuGroup>
            {links.map((item) => (
              <MenuLink key={item.to} to={item.to} current={isCurrent(pathname, item.to)}>
                {item.label}
              </MenuLink>
            ))}
          </MenuGroup>
          {!signedIn && (
            <MenuGroup>
              <MenuLink to={sitePaths.signIn}>Login</MenuLink>
            </MenuGroup>
          )}
        </nav>
      </Menu>
    </div>
  );
}
