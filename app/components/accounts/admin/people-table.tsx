import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SelectControl } from "~/components/forms/select";
import { SubmitButton } from "~/components/forms/submit-button";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Email } from "~/components/ui/email";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { ORGANIZATION_ROLES } from "~/kernel/enums";
import type { PersonRow } from "~/modules/accounts/administration/admin-lists.view";
import type { MemberAct } from "~/modules/accounts/members/members";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";

interface PeopleTableProps {
  rows: readonly PersonRow[];
  /** Whether each row has its buttons. */
  canAct: boolean;
  /** Whether each row says which organisation the person is in. */
  showOrganization?: boolean;
}

/** People as a table, with what can be done about each. */
export function PeopleTable({ rows, canAct, showOrganization }: PeopleTableProps) {
  return (
    <Table
      caption="People"
      head={
        <>
          <Th>Person</Th>
          {showOrganization && <Th>Organisation</Th>}
          <Th>Role</Th>
          <Th>Status</Th>
          <Th>Last sign-in</Th>
          {canAct && <Th hidden>Actions</Th>}
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.userId}>
          <Td>
            <span className="font-medium">{row.name}</span>
            <CellNote>
              <Email value={row.email} />
              {!row.emailVerified && " (not confirmed)"}
            </CellNote>
          </Td>
          {showOrganization && <Td label="Organisation">{row.organizationName ?? "None"}</Td>}
          <Td label="Role">
            {canAct && row.role !== "super_admin" && row.hasOrganization ? <RoleForm row={row} /> : row.roleLabel}
          </Td>
          <Td label="Status">
            <StatusBadge of="user" status={row.status} />
          </Td>
          <Td label="Last sign-in">{row.lastLogin ? <Time {...row.lastLogin} stacked /> : "Never"}</Td>
          {canAct && (
            <Td actions>
              <ActForm row={row} />
            </Td>
          )}
        </Tr>
      ))}
    </Table>
  );
}

function RoleForm({ row }: { row: PersonRow }) {
  return (
    <Form method="post" className="above-line flex flex-wrap items-center gap-2">
      <HiddenFields values={{ userId: row.userId }} />
      <label htmlFor={`role-${row.userId}`} className="min-w-0">
        <span className="sr-only">Role of {row.name}</span>
        <SelectControl key={row.role} id={`role-${row.userId}`} name="role" defaultValue={row.role} className="sm:w-40">
          {ORGANIZATION_ROLES.map((role) => (
            <option key={role} value={role}>
              {ROLE_LABELS[role]}
            </option>
          ))}
        </SelectControl>
      </label>
      <SubmitButton name="intent" value="change_role" variant="secondary" size="sm" pendingText="Saving...">
        Change<span className="sr-only"> the role of {row.name}</span>
      </SubmitButton>
    </Form>
  );
}

const ACTS: Record<MemberAct, { label: string; pendingText: string; variant: "primary" | "secondary" | "quiet" }> = {
  approve: { label: "Approve", pendingText: "Approving...", variant: "primary" },
  reject: { label: "Reject", pendingText: "Rejecting...", variant: "secondary" },
  deactivate: { label: "Deactivate", pendingText: "Ending...", variant: "quiet" },
  reactivate: { label: "Reactivate", pendingText: "Saving...", variant: "secondary" },
};

function ActForm({ row }: { row: PersonRow }) {
  return (
    <Form method="post" className="flex flex-wrap gap-2 sm:justify-end">
      <HiddenFields values={{ userId: row.userId }} />
      {row.acts.map((act) => {
        const { label, pendingText, variant } = ACTS[act];
        return (
          <SubmitButton key={act} name="intent" value={act} variant={variant} size="sm" pendingText={pendingText}>
            {label}
            <span className="sr-only"> {row.name}</span>
          </SubmitButton>
        );
      })}
    </Form>
  );
}
