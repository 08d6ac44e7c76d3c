import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";
import { sitePaths } from "~/kernel/paths/site";

/** What people see in the place of every page while their organisation may not act. */
export function SuspendedNotice({ organizationName }: { organizationName: string | null }) {
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
