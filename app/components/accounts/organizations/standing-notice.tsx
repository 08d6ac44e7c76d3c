import type { RootUser } from "~/components/layout/root-data";
import { Button, Callout } from "~/components/ui/elements";
import { PageHeader } from "~/components/ui/page-parts";
import type { UserStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { CLOSED_KEPT_YEARS } from "~/kernel/retention";

type StandingNoticeProps = Pick<RootUser, "status" | "organizationName" | "emailVerified" | "isClosed">;

/** Shown in place of a page that is not open to the person, without any data. */
export function StandingNotice({ status, organizationName, emailVerified, isClosed }: StandingNoticeProps) {
  if (status !== "active") return <AccountStatusNotice status={status} emailVerified={emailVerified} />;
  if (organizationName === null) return <NoOrganizationNotice />;
  return isClosed ? (
    <ClosedNotice organizationName={organizationName} />
  ) : (
    <SuspendedNotice organizationName={organizationName} />
  );
}

/** Shown to a super admin without an organisation in place of organisation pages: explains them and links to one. */
function NoOrganizationNotice() {
  return (
    <>
      <PageHeader title="You do not belong to an organisation" />
      <Callout
        tone="info"
        title="This page shows the data of one organisation"
        actions={
          <>
            <Button to={appPaths.organizations}>Go to the organisations</Button>
            <Button to={appPaths.users} variant="secondary">
              Go to the users
            </Button>
          </>
        }
      >
        <p>
          Your account administers all organisations, but shows no organisation's bank data. To work in one, ask its
          administrator to invite you, and accept the invitation from your email.
        </p>
      </Callout>
    </>
  );
}

/** Shown in place of every page until the organisation has approved the person. */
function AccountStatusNotice({ status, emailVerified }: { status: UserStatus; emailVerified: boolean }) {
  if (status === "pending") {
    return (
      <>
        <PageHeader title="Your account is waiting for approval" />
        <Callout tone="warning" title="You can sign in, but you cannot see your organisation's data yet">
          <p>
            {emailVerified
              ? "Your email address is confirmed. An administrator of your organisation now has to approve you: we will email you when they have."
              : "First confirm your email address: we sent you a link. Then an administrator of your organisation approves you."}
          </p>
        </Callout>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Your account was not approved" />
      <Callout tone="danger" title="Your organisation did not approve your account">
        <p>If you think that this is a mistake, speak to an administrator of your organisation.</p>
      </Callout>
    </>
  );
}

/** Shown in place of every page while the organisation is suspended. */
function SuspendedNotice({ organizationName }: { organizationName: string }) {
  return (
    <>
      <PageHeader title={`${organizationName} is suspended`} />
      <Callout
        tone="danger"
        title="No one in your organisation can view or change anything for now"
        actions={
          <Button to={sitePaths.contact} variant="secondary">
            Contact us
          </Button>
        }
      >
        <p>Nothing was deleted. Your administrators know; get in touch with us to resolve the problem.</p>
      </Callout>
    </>
  );
}

/** The same for a closed organisation. */
function ClosedNotice({ organizationName }: { organizationName: string }) {
  return (
    <>
      <PageHeader title={`${organizationName} has closed`} />
      <Callout
        tone="info"
        title="An administrator closed this organisation, and nobody can use it any more"
        actions={
          <Button to={sitePaths.contact} variant="secondary">
            Contact us
          </Button>
        }
      >
        <p>
          Its records are kept for {CLOSED_KEPT_YEARS} years, as the law requires for financial records. Write to us if
          you need them, or want to reopen the organisation.
        </p>
      </Callout>
    </>
  );
}
