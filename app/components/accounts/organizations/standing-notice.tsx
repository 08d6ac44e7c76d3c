import { AccountStatusNotice } from "~/components/accounts/identity/account-status-notice";
import { SuspendedNotice } from "~/components/accounts/organizations/suspended-notice";
import type { UserStatus } from "~/kernel/enums";

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
