import { Callout } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";
import type { UserStatus } from "~/kernel/enums";

interface AccountStatusNoticeProps {
  status: UserStatus;
}

/** What people see in the place of every page while their organisation has not let them in, and no data. */
export function AccountStatusNotice({ status }: AccountStatusNoticeProps) {
  if (status === "pending") {
    return (
      <>
        <PageHeader title="Your account is waiting for approval" />
        <Callout tone="warning" title="You can sign in, but you cannot see your organisation's data yet">
          <p>
            First confirm your email address: we sent you a link. Then an administrator of your organisation lets you
            in. You will see everything here from that moment on.
          </p>
        </Callout>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Your account was not approved" />
      <Callout tone="danger" title="Your organisation did not approve your account">
        <p>If you think that this is a mistake, speak to the people who look after PayeeProof at your organisation.</p>
      </Callout>
    </>
  );
}
