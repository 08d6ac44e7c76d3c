import { Avatar } from "~/components/ui/avatar";
import { Email } from "~/components/ui/email";
import { Menu, MenuButton, MenuGroup, MenuLink } from "~/components/ui/menu";
import { LogoutForm } from "./logout-form";
import { isCurrent, type NavItem } from "./nav-link";
import type { RailProps } from "./signed-in-frame";
import { ThemeToggle } from "./theme-toggle";

/** The signed-in person and their own links: rendered with the page, with a separate script. */
export function AccountMenu(props: RailProps & { pathname: string }) {
  const { user, organizationName, accountLinks, adminLinks, platformLinks, theme, pathname } = props;
  return (
    <Menu
      align="rail"
      summaryClassName="rail-link rail-tool"
      summary={
        <>
          <Avatar firstName={user.firstName} lastName={user.lastName} />
          <span>My Account</span>
        </>
      }
      panelClassName="w-[min(16rem,calc(100vw-2rem))]"
    >
      <AccountOwner user={user} organizationName={organizationName} />
      <div className="border-line border-t pt-1.5">
        <LinkGroup items={accountLinks} pathname={pathname} />
        <LinkGroup label="Admin" items={adminLinks} pathname={pathname} />
        <LinkGroup label="Platform" items={platformLinks} pathname={pathname} />
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

function LinkGroup({ label, items, pathname }: { label?: string; items: readonly NavItem[]; pathname: string }) {
  if (items.length === 0) return null;
  return (
    <MenuGroup label={label}>
      {items.map((item) => (
        <MenuLink key={item.to} to={item.to} icon={item.icon} current={isCurrent(pathname, item.to)}>
          {item.label}
        </MenuLink>
      ))}
    </MenuGroup>
  );
}

function AccountOwner({ user, organizationName }: Pick<RailProps, "user" | "organizationName">) {
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
