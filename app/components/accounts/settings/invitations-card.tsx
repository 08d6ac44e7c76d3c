import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { RadioGroup } from "~/components/forms/radio-group";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Card } from "~/components/ui/card";
import { Email } from "~/components/ui/email";
import { ORGANIZATION_ROLES } from "~/kernel/enums";
import type { FormAnswer } from "~/kernel/form-answer";
import { ROLE_HINTS, ROLE_LABELS } from "~/modules/accounts/organizations/roles";

export interface InvitationRow {
  id: string;
  email: string;
  roleLabel: string;
  invitedBy: string | null;
  /** "Until 27 Nov 2026", or that it has expired. */
  validity: string;
}

/** Who to invite, and as what. */
export function InviteForm({ answer }: { answer?: FormAnswer }) {
  const { values = {}, errors = {} } = answer ?? {};
  return (
    <Card title="Invite a person" description="We email them a link that works once, for seven days.">
      <Form method="post" noValidate>
        <FormErrorSummary errors={answer?.errors} formErrors={answer?.formErrors} />
        <div className="grid max-w-2xl gap-5">
          <TextInput
            name="email"
            label="Email"
            type="email"
            required
            autoComplete="off"
            defaultValue={values.email}
            error={errors.email}
          />
          <RadioGroup
            name="role"
            label="Role"
            required
            look="cards"
            defaultValue={values.role ?? "member"}
            error={errors.role}
            options={ORGANIZATION_ROLES.map((role) => ({
              value: role,
              label: ROLE_LABELS[role],
              hint: ROLE_HINTS[role],
            }))}
          />
          <div>
            <SubmitButton name="intent" value="invite" pendingText="Inviting...">
              Send invitation
            </SubmitButton>
          </div>
        </div>
      </Form>
    </Card>
  );
}

/** Invitations that wait for an answer. */
export function InvitationsCard({
  rows,
  canAct,
  canSend,
}: {
  rows: readonly InvitationRow[];
  canAct: boolean;
  canSend: boolean;
}) {
  if (rows.length === 0) return null;
  return (
    <Card title="Invitations" description="Sent, and not accepted yet." flush>
      <Table
        caption="Invitations"
        head={
          <>
            <Th>Email</Th>
            <Th>Role</Th>
            <Th>Works</Th>
            {canAct && <Th hidden>Actions</Th>}
          </>
        }
      >
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td>
              <span className="font-medium">
                <Email value={row.email} />
              </span>
              {row.invitedBy && <CellNote>Invited by {row.invitedBy}</CellNote>}
            </Td>
            <Td label="Role">{row.roleLabel}</Td>
            <Td label="Works">{row.validity}</Td>
            {canAct && (
              <Td actions>
                <Form method="post" className="flex flex-wrap gap-2 sm:justify-end">
                  <HiddenFields values={{ invitationId: row.id }} />
                  {canSend && (
                    <SubmitButton name="intent" value="resend" variant="secondary" size="sm" pendingText="Sending...">
                      Send again<span className="sr-only"> to {row.email}</span>
                    </SubmitButton>
                  )}
                  <SubmitButton name="intent" value="revoke" variant="quiet" size="sm" pendingText="Taking back...">
                    Take back<span className="sr-only"> from {row.email}</span>
                  </SubmitButton>
                </Form>
              </Td>
            )}
          </Tr>
        ))}
      </Table>
    </Card>
  );
}
