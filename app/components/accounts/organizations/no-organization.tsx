import { LogoutForm } from "~/components/layout/logout-form";
import { Button, Callout } from "~/components/ui/elements";
import { PageHeader } from "~/components/ui/page-header";
import { sitePaths } from "~/kernel/paths/site";

/** Shown to a person without an organisation in place of organisation pages. */
export function NoOrganization() {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-12 sm:px-6">
      <PageHeader title="You do not belong to an organisation yet" />
      <Callout tone="info" title="This page shows the data of an organisation">
        <p>Create an organisation, or ask to join one that uses your email domain.</p>
      </Callout>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button to={sitePaths.selectOrganization}>Create or join an organisation</Button>
        <LogoutForm>
          <Button type="submit" variant="secondary">
            Logout
          </Button>
        </LogoutForm>
      </div>
    </div>
  );
}
