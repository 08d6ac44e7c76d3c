import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";
import type { UserStatus } from "~/kernel/enums";
import { sitePaths } from "~/kernel/paths/site";

interface StandingNoticeProps {
  status: UserStatus;
  organizationName: string | null;
  emailVerified: boolean;
}

/** What people see in place of every page that is not open to them, and no data. */
export function StandingNotice({ status, organizationName, emailVerified }: StandingNoticeProps) {
  return status === "active" ? (
    <SuspendedNotice organizationName={organizationName} />
  ) : (
    <AccountStatusNotice status={status} emailVerified={emailVerified} />
  );
}

interface AccountStatusNoticeProps {
  status: UserStatus;
  emailVerified: boolean;
}

/** What people see in place of every page until their organisation has approved them. */
function AccountStatusNotice({ status, emailVerified }: AccountStatusNoticeProps) {
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

/** What people see in the place of every page while their organisation may not act. */
function SuspendedNotice({ organizationName }: { organizationName: string | null }) {
  return (
    <>
      <PageHeader title={`${organizationName ?? "Your organisation"} is suspended`} />
      <Callout
        tone="danger"
        title="No one in your organisation can view or change anything for now"
        actions={
          <Button to={sitePaths.contact} variant="secondary">
            Contact us
          </Button>
        }
      >
        <p>Nothing was deleted. Your administrators know; get in touch with us to settle what stands in the way.</p>
      </Callout>
    </>
  );
}
