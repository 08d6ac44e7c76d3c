import { useLocation } from "@remix-run/react";
import { cx } from "~/components/cx";
import { isCurrent, type NavItem } from "~/components/layout/nav-link";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import { Logo } from "~/components/ui/logo";
import { Menu, MenuGroup, MenuLink } from "~/components/ui/menu";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";

export interface PublicHeaderProps {
  links: readonly NavItem[];
  /** Login and Get Started; both lead to /auth. A signed-in visitor sees one link to the dashboard instead. */
  signedIn?: boolean;
}

/** Header of the marketing site. */
export function PublicHeader({ links, signedIn }: PublicHeaderProps) {
  const { pathname } = useLocation();
  return (
    <header data-chrome className="sticky top-0 z-20 border-line border-b bg-paper/95 backdrop-blur-sm">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-6 px-4 sm:px-6">
        <Link to={sitePaths.home} className="inline-flex rounded-base" aria-label="PayeeProof home">
          <Logo />
        </Link>
        <nav aria-label="Main" className="hidden flex-1 justify-center lg:block">
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
        <div className="ml-auto flex items-center gap-2 lg:ml-0">
          {signedIn ? (
            <Button to={appPaths.dashboard} size="sm">
              Dashboard
            </Button>
          ) : (
            <>
              <Button to={sitePaths.signIn} variant="quiet" className="max-sm:hidden">
                Login
              </Button>
              <Button to={sitePaths.signIn}>Get Started</Button>
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
    <div className="lg:hidden">
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
