import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";

/** What people see who can sign in and belong to no organisation. */
export function NoOrganization() {
  return (
    <Card>
      <EmptyState icon="building" title="You are not part of an organisation yet">
        Ask an administrator of your organisation to invite you.
      </EmptyState>
    </Card>
  );
}
