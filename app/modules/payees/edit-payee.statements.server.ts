import type { Statement } from "@db/client";
import { precondition } from "@db/precondition";
import { payeeChanges, payees, verifications } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/account-number";
import { type Actor, displayName } from "~/kernel/actor";
import { formatDateTime } from "~/kernel/dates";
import { BANK_FIELDS, FIELD_LABELS, type PayeeDetails } from "~/kernel/payee";
import { fingerprintPayee } from "~/modules/account-fingerprints/payee-fingerprint.server";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { NewJob } from "~/modules/commands/outbox.statements.server";
import { partStatements } from "~/modules/commands/run-command.server";
import { listMemberEmails } from "~/modules/members/members.queries.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { returnRequestedPayments } from "~/modules/payment-holds/payment-holds.statements.server";
import { endVerification, whilePending } from "~/modules/verifications/verification.statements.server";
import { OFF_WHITELISTS } from "~/modules/whitelist/whitelist.statements.server";
import type { Services } from "~/services";
import { openPrepared, prepareVerification } from "./open-verification.server";
import { findPendingVerification, type PayeeRow } from "./payee.queries.server";
import { type EditDecision, type FieldChange, maskChange } from "./payee-edit";
import { replaceTerms, whileAccountIsFree, whileUnchanged } from "./payees.statements.server";

type Editing = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">;

/** What a change of bank details brings with it. */
export type BankDetailsEdit = {
  /** Only while these hold. */
  conditions: Statement[];
  digests: { hash: string; accountFingerprint: string };
  /** After the payee row: verification ended and opened, audit rows, promised mails. */
  effects: Statement[];
  jobIds: string[];
};

/** The dangerous moment: gathers everything that a change of bank details must do in the same batch. */
export async function bankDetailsEdit(
  services: Editing,
  actor: Actor,
  payee: PayeeRow,
  next: PayeeDetails,
  decision: EditDecision,
): Promise<BankDetailsEdit> {
  const { organizationId } = actor;
  const payeeId = payee.id;
  const [digests, pendingId, prepared, mails] = await Promise.all([
    fingerprintPayee(services, next),
    findPendingVerification(services, actor, payeeId),
    prepareVerification(services, actor, { payeeId, details: next, cause: "details_edited" }),
    promiseAlerts(services, actor, payee, next, decision),
  ]);
  const onPayee = { entityType: "payee", entityId: payeeId } as const;
  return {
    conditions: [
      ...(decision.accountChanged ? [whileAccountIsFree(services, organizationId, next, payeeId)] : []),
      pendingId
        ? whilePending(services, organizationId, pendingId)
        : whileNonePending(services, organizationId, payeeId),
    ],
    digests,
    effects: [
      recordAudit(services, actor, {
        ...onPayee,
        action: "payee.bank_details_changed",
        details: { changes: bankChanges(decision).map(maskChange) },
      }),
      ...(payee.whitelisted
        ? [
            recordAudit(services, actor, {
              ...onPayee,
              action: "payee.unwhitelisted",
              details: { reason: "Bank details changed", whitelistGlobal: payee.whitelistGlobal },
            }),
          ]
        : []),
      ...(pendingId ? supersede(services, actor, payeeId, pendingId) : []),
      ...partStatements(services, actor, openPrepared(services, actor, prepared)),
      ...jobStatements(services, mails),
    ],
    jobIds: jobIds(mails),
  };
}

/** The batch of an edit, whatever it changes. */
export function editStatements(
  services: Editing,
  actor: Actor,
  edit: {
    payee: PayeeRow;
    next: PayeeDetails;
    decision: EditDecision;
    changes: (FieldChange & { id: string })[];
    bank?: BankDetailsEdit;
  },
): Statement[] {
  const { payee, next, decision, changes, bank } = edit;
  const { db, clock } = services;
  const { organizationId, userId } = actor;
  const now = clock.now();
  const others = decision.changes.filter((change) => !isBankField(change));
  return [
    whileUnchanged(services, organizationId, payee),
    ...(bank?.conditions ?? []),
    db
      .update(payees)
      .set({
        ...next,
        ...(bank ? { ...bank.digests, ...OFF_WHITELISTS } : {}),
        ...(bank ? { bankDetailsChangedAt: now, bankDetailsChangedById: userId } : {}),
        ...(decision.contactChanged ? { contactChangedAt: now } : {}),
        version: payee.version + 1,
        updatedAt: now,
      })
      .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payee.id))),
    ...changes.map(({ id, field, from, to }) =>
      db
        .insert(payeeChanges)
        .values({ id, organizationId, payeeId: payee.id, userId, field, oldValue: from, newValue: to, createdAt: now }),
    ),
    ...replaceTerms(services, organizationId, payee.id, next),
    ...(others.length > 0
      ? [
          recordAudit(services, actor, {
            action: "payee.edited",
            entityType: "payee",
            entityId: payee.id,
            details: { changes: others },
          }),
        ]
      : []),
    ...(bank?.effects ?? []),
  ];
}

const isBankField = ({ field }: FieldChange) => (BANK_FIELDS as readonly string[]).includes(field);
const bankChanges = (decision: EditDecision) => decision.changes.filter(isBankField);

/** Ends the verification of details that are no more. It proves nothing about the payee, so it is failed, not rejected. */
function supersede(services: Editing, actor: Actor, payeeId: string, verificationId: string): Statement[] {
  return [
    ...endVerification(services, actor, {
      decisionId: services.ids.next(),
      verificationId,
      status: "failed",
      reason: "The payee's bank details were changed",
      reasonCode: "details_edited",
    }),
    ...returnRequestedPayments(services, actor, verificationId),
    recordAudit(services, actor, {
      action: "verification.superseded",
      entityType: "verification",
      entityId: verificationId,
      details: { payeeId },
    }),
  ];
}

function whileNonePending({ db }: Editing, organizationId: string, payeeId: string): Statement {
  return precondition(
    db,
    sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${verifications} WHERE ${verifications.organizationId} = ${organizationId}
      AND ${verifications.payeeId} = ${payeeId} AND ${verifications.status} = 'pending')`,
  );
}

/** Every other member who can act, and the payee at the address it had before: the one a criminal would not change back. */
async function promiseAlerts(
  services: Editing,
  actor: Actor,
  payee: PayeeRow,
  next: PayeeDetails,
  decision: EditDecision,
): Promise<NewJob[]> {
  const { organizationId, organizationName } = actor;
  const [members, policy] = await Promise.all([
    listMemberEmails(services, organizationId, { except: actor.userId, canWrite: true }),
    findPolicy(services, organizationId),
  ]);
  const changedOn = formatDateTime(services.clock.now(), policy.timeZone);
  const team = await queueEmail(services, organizationId, members, {
    template: "bankDetailsChanged",
    data: {
      organizationName,
      payeeName: payee.name,
      editorName: displayName(actor),
      changedOn,
      fields: bankChanges(decision).map(({ field }) => FIELD_LABELS[field]),
      href: `${services.config.appOrigin}/payees/${payee.id}`,
    },
  });
  const previous = await queueEmail(services, organizationId, payee.email === null ? [] : [payee.email], {
    template: "payeeDetailsChanged",
    data: {
      organizationName,
      payeeName: payee.name,
      changedOn,
      maskedAccount: maskAccountNumber(next.accountNumber),
    },
  });
  return [...team, ...previous];
}
