import type { Email } from "~/emails/templates";
import { displayName } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { USER_STATUS_WORDS } from "~/kernel/status-words";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";
import type { AuditAction } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices } from "~/services";
import {
  hasAnotherAdmin,
  memberIsUnchanged,
  otherMembershipIsUnchanged,
  updateMembership,
} from "./member-change.server";
import {
  type Administrator,
  accountAfter,
  type MemberAct,
  type MemberChange,
  type MembershipState,
  membershipAfter,
  removesAdmin,
} from "./members";
import { findElsewhere, getMember, type Member } from "./membership-change.server";

const ACTIONS: Record<MemberChange["act"], AuditAction> = {
  approve: "member.approved",
  reject: "member.rejected",
  deactivate: "member.deactivated",
  reactivate: "member.reactivated",
  change_role: "member.role_changed",
};

/**
 * Changes a member's access or role in an organisation. The organisation always keeps an active admin; a member who loses
 * access loses their sessions in the same batch.
 * @throws AppError 404 for nobody of this organisation, 409 OWN_ACCOUNT, ADDRESS_NOT_CONFIRMED, LAST_ADMIN, MEMBER_CHANGED
 */
export async function changeMember(
  services: NotifyServices,
  administrator: Administrator,
  input: { organizationId: string; userId: string; change: MemberChange },
): Promise<{ member: Member; after: MembershipState }> {
  const { organizationId, change } = input;
  const member = await getMember(services, input);
  const after = requireStep(administrator, member, change);
  const elsewhere = after.status === "inactive" ? await findElsewhere(services, input) : undefined;
  const result = await runCommand(
    services,
    { ...administrator, organizationId },
    {
      conditions: [
        memberIsUnchanged(services, member, change.act),
        ...(removesAdmin(member, after) ? [hasAnotherAdmin(services, member)] : []),
        ...(elsewhere ? [otherMembershipIsUnchanged(services, member, elsewhere)] : []),
      ],
      statements: updateMembership(
        services,
        member,
        after,
        accountAfter(member.account, organizationId, after, elsewhere),
      ),
      audit: [
        {
          action: ACTIONS[change.act],
          entityType: "user",
          entityId: member.userId,
          details: { person: displayName(member), email: member.email, ...difference(member, after) },
        },
      ],
      jobs:
        change.act === "change_role"
          ? []
          : await queueEmail(services, organizationId, [member.email], emailOf(services, member, change.act)),
      answer: undefined,
    },
  );
  if (!result.ok) {
    if (result.refused === "last_admin") throw lastAdmin();
    const now = await getMember(services, input);
    requireStep(administrator, now, change);
    throw changed(now);
  }
  return { member, after };
}

function requireStep({ userId }: Administrator, member: Member, change: MemberChange): MembershipState {
  const after = membershipAfter(member, change);
  if (!after) throw changed(member);
  if (userId === member.userId && after.status === "inactive") {
    throw new AppError("OWN_ACCOUNT", 409, "You cannot end your own access. Ask another administrator.");
  }
  if (change.act === "approve" && !member.emailVerified) {
    throw new AppError(
      "ADDRESS_NOT_CONFIRMED",
      409,
      `${displayName(member)} has not confirmed ${member.email} yet. You can approve them as soon as they have.`,
    );
  }
  return after;
}

const lastAdmin = () =>
  new AppError(
    "LAST_ADMIN",
    409,
    "An organisation needs at least one active administrator. Appoint another one first.",
  );

const changed = (member: Member) =>
  new AppError(
    "MEMBER_CHANGED",
    409,
    `Nothing was changed: ${displayName(member)} is now ${USER_STATUS_WORDS[member.status].toLowerCase()}, with the role ${ROLE_LABELS[member.role]}.`,
  );

function difference(before: MembershipState, after: MembershipState) {
  return {
    ...(before.role === after.role ? {} : { role: { from: before.role, to: after.role } }),
    ...(before.status === after.status ? {} : { status: { from: before.status, to: after.status } }),
  };
}

const TEMPLATES = {
  approve: "memberApproved",
  reject: "memberRejected",
  deactivate: "memberDeactivated",
  reactivate: "memberReactivated",
} as const satisfies Record<MemberAct, Email["template"]>;

/** An alert tells of a changed role; a person who was just approved or removed may have no alerts. */
function emailOf({ config }: NotifyServices, { firstName, organizationName }: Member, act: MemberAct): Email {
  return {
    template: TEMPLATES[act],
    data: { firstName, organizationName, href: `${config.appOrigin}${appPaths.dashboard}` },
  };
}
