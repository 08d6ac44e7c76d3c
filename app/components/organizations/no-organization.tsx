import { Callout } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";

/** What a person without an organisation sees in the place of its pages, when there is nothing to choose from. */
export function NoOrganization() {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-12 sm:px-6">
      <PageHeader title="You do not belong to an organisation yet" />
      <Callout tone="info" title="Two ways to go on">
        <p>
          Confirm your email address with the link we sent you: if an organisation uses your email domain, you can then
          choose it here. Or ask an administrator of your organisation to invite you.
        </p>
      </Callout>
    </div>
  );
}
