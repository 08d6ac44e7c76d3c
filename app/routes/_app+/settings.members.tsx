import { useActionData, useLoaderData } from "@remix-run/react";
import { PeopleCard } from "~/components/accounts/admin/people-card";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { approvalIn, PasskeyApproval } from "~/components/accounts/identity/passkey-approval";
import { SignedAct } from "~/components/accounts/identity/signed-act";
import { AdminsOnly, SettingsPage } from "~/components/accounts/settings/settings-page";
import { TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { RadioGroup } from "~/components/forms/radio-group";
import { ListCard } from "~/components/tables/list-card";
import { CellNote } from "~/components/tables/table";
import { Email } from "~/components/ui/email";
import { Card, named } from "~/components/ui/page-parts";
import { type Accepted, formAction, page, pageAdmin, pageMember, parseForm } from "~/http/page.server";
import { ORGANIZATION_ROLES } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { displayName } from "~/kernel/text";
import { flashOfPerson } from "~/modules/accounts/administration/admin-lists";
import { signedFieldsOf } from "~/modules/accounts/identity/signed-approval.server";
import {
  invitationPostSchema,
  invitationSchema,
  invitePerson,
  readMembersPage,
  resendInvitation,
  revokeInvitation,
} from "~/modules/accounts/members/invitations.server";
import { changeMember, memberPostSchema } from "~/modules/accounts/members/members.server";
import { ROLE_HINTS, ROLE_LABELS } from "~/modules/accounts/organizations/roles";
import type { Actor, Services } from "~/services-and-actor";

const PATH = appPaths.members;

export const { meta, ErrorBoundary } = named("Members · Settings", "Error Loading Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readMembersPage(scope.services, actor, scope.url.searchParams);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, (form) => act(scope.services, actor, form));
});

export const clientAction = keepWhatWasTyped;

/** Runs the action of one of the page's forms. */
async function act(services: Services, actor: Actor, form: FormData): Promise<Accepted> {
  switch (form.get("intent")) {
    case "invite": {
      const invitation = parseForm(form, invitationSchema);
      await invitePerson(services, actor, invitation, signedFieldsOf(form));
      return { to: PATH, flash: { tone: "success", title: "Invitation sent", description: invitation.email } };
    }
    case "resend":
    case "revoke": {
      const { intent, invitationId } = parseForm(form, invitationPostSchema);
      const run = intent === "resend" ? resendInvitation : revokeInvitation;
      const description = await run(services, actor, { id: invitationId });
      const title = intent === "resend" ? "Invitation sent again" : "Invitation withdrawn";
      return { to: PATH, flash: { tone: "success", title, description } };
    }
    default: {
      const post = parseForm(form, memberPostSchema);
      const asked = { organizationId: actor.organizationId, ...post, signed: signedFieldsOf(form) };
      const { member, isChanged } = await changeMember(services, actor, asked);
      return { to: PATH, flash: flashOfPerson(post.change.act, displayName(member), isChanged) };
    }
  }
}

export default function Members() {
  const { canAdminister: isAdmin, invitations, missing, ...list } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const isInvite = answer?.intent === "invite";
  return (
    <SettingsPage description="Who belongs to your organisation, and what each may do.">
      {!isInvite && <SignedAct answer={answer} />}
      {!isAdmin && <AdminsOnly />}
      <PeopleCard
        title="Members"
        path={PATH}
        canAct={isAdmin}
        hrefOf={({ userId }) => withQuery(appPaths.audit, { person: userId })}
        {...list}
      />
      <InvitationsCard rows={invitations} canAct={isAdmin} canSend={missing === null} />
      <ConfirmFirst missing={missing} className="" />
      {isAdmin && missing === null && <InviteForm answer={isInvite ? answer : undefined} />}
    </SettingsPage>
  );
}

function InviteForm({ answer }: { answer?: FormAnswer }) {
  const approval = approvalIn(answer);
  return (
    <Card
      title="Invite a person"
      description="We email them a link that works once, for seven days."
      className="print:hidden"
    >
      <PostForm answer={answer} values={{ role: "member" }}>
        <div className="grid max-w-2xl gap-5">
          <TextInput name="email" label="Email" type="email" required autoComplete="off" />
          <RadioGroup
            name="role"
            label="Role"
            required
            look="cards"
            options={ORGANIZATION_ROLES.map((role) => ({
              value: role,
              label: ROLE_LABELS[role],
              hint: ROLE_HINTS[role],
            }))}
          />
          {approval ? (
            <PasskeyApproval approval={approval} name="intent" value="invite" />
          ) : (
            <div>
              <SubmitButton name="intent" value="invite" pendingText="Inviting...">
                Send invitation
              </SubmitButton>
            </div>
          )}
        </div>
      </PostForm>
    </Card>
  );
}

function InvitationsCard({
  rows,
  canAct,
  canSend,
}: {
  rows: readonly Awaited<ReturnType<typeof readMembersPage>>["invitations"][number][];
  canAct: boolean;
  canSend: boolean;
}) {
  if (rows.length === 0) return null;
  return (
    <ListCard
      label="Invitations"
      title="Invitations"
      description="Sent, and not accepted yet."
      rows={rows}
      columns={[
        {
          head: "Email",
          cell: (row) => (
            <>
              <span className="font-medium">
                <Email value={row.email} />
              </span>
              {row.invitedBy && <CellNote>Invited by {row.invitedBy}</CellNote>}
            </>
          ),
        },
        { head: "Role", cell: (row) => row.roleLabel },
        { head: "Works", cell: (row) => row.validity },
        canAct && {
          head: "Actions",
          actions: true,
          cell: (row) => (
            <Form method="post" className="flex flex-wrap gap-2 sm:justify-end">
              <HiddenFields values={{ invitationId: row.id }} />
              {canSend && (
                <SubmitButton name="intent" value="resend" variant="secondary" size="sm" pendingText="Sending...">
                  Send again<span className="sr-only"> to {row.email}</span>
                </SubmitButton>
              )}
              <SubmitButton name="intent" value="revoke" variant="quiet" size="sm" pendingText="Withdrawing...">
                Withdraw<span className="sr-only"> from {row.email}</span>
              </SubmitButton>
            </Form>
          ),
        },
      ]}
    />
  );
}
