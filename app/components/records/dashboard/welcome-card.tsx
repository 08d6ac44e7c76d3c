import { LogoutForm } from "~/components/layout/logout-form";
import { Avatar } from "~/components/ui/avatar";
import { Button, Icon } from "~/components/ui/elements";
import { Menu, MenuButton, MenuLink } from "~/components/ui/menu";
import { Card } from "~/components/ui/page-parts";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";

interface WelcomeCardProps {
  person: { firstName: string; lastName: string; username: string };
  organizationName: string;
  /** The person has not signed in since registering. */
  isFirstVisit: boolean;
  canWrite: boolean;
  /** There is no payee yet who could be paid. */
  isNew: boolean;
}

/** The person, their organisation, and the two most common actions. */
export function WelcomeCard({ person, organizationName, isFirstVisit, canWrite, isNew }: WelcomeCardProps) {
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5">
        <div className="flex min-w-0 flex-wrap items-center gap-4">
          <AvatarMenu person={person} />
          <div className="min-w-0">
            <h1 id="page-title" tabIndex={-1} className="display text-2xl sm:text-3xl">
              {isFirstVisit ? "Welcome" : "Welcome back"}, {person.firstName || person.username}
            </h1>
            <p className="mt-1 break-words text-base text-ink-soft">{organizationName}</p>
          </div>
        </div>
        {canWrite && (
          <div data-screen-only className="flex flex-wrap gap-3 @max-[24rem]/main:[&_svg]:hidden">
            <Button to={appPaths.newPayee} variant={isNew ? "primary" : "secondary"} icon="shieldCheck">
              Verify a payee
            </Button>
            {!isNew && (
              <Button to={appPaths.newPayment} icon="plus">
                Record a payment
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

/** The dashboard's own menu. Logging out here leads to the sign-in page; from the header it leads to the home page. */
function AvatarMenu({ person }: Pick<WelcomeCardProps, "person">) {
  return (
    <Menu
      align="left"
      label={`Menu of ${person.firstName || person.username}`}
      summaryClassName="flex items-center gap-1 rounded-full hover:bg-sunken"
      summary={
        <>
          <Avatar firstName={person.firstName || person.username} lastName={person.lastName} size="lg" />
          <Icon name="chevronDown" className="size-4 text-ink-soft transition-transform group-open:rotate-180" />
        </>
      }
    >
      <MenuLink to={appPaths.profile} icon="user">
        Profile
      </MenuLink>
      <MenuLink to={appPaths.settings} icon="settings">
        Settings
      </MenuLink>
      <LogoutForm to={sitePaths.signIn}>
        <MenuButton icon="logout">Logout</MenuButton>
      </LogoutForm>
    </Menu>
  );
}
