import { Callout } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";
import type { UserStatus } from "~/kernel/enums";

interface AccountStatusNoticeProps {
  status: UserStatus;
  emailVerified: boolean;
}

/** What people see in place of every page until their organisation has approved them. */
export function AccountStatusNotice({ status, emailVerified }: AccountStatusNoticeProps) {
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
