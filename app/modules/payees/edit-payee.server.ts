import type { Statement } from "@db/client";
import { payees } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { DetailsOrigin, PayeeDetails } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { listMemberEmails } from "~/modules/accounts/members/members.server";
import type { Written } from "~/modules/core/audit/audit";
import {
  atOneInstant,
  type CommandAudit,
  type CommandPart,
  runCommand,
} from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-fingerprint.server";
import type { ToldOfChange } from "~/modules/messages/notifications/change-notices.statements.server";
import { listNoticesOfPayee } from "~/modules/messages/notifications/change-notices.statements.server";
import { contactSentence } from "~/modules/messages/notifications/notice-rules";
import { OFF_WHITELISTS } from "~/modules/payees/payee.server";
import { lookalikeOfItself } from "~/modules/payees/verifications/evidence";
import { listFormerEmails } from "~/modules/payees/verifications/evidence.server";
import { CLOSING_REASONS } from "~/modules/payees/verifications/verification";
import { addLookalikes, comparePayeeName } from "~/modules/payees/verifications/verification.server";
import { holdAuthorisedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { NotifyServices, ReadServices, Services } from "~/services";
import { type Edit, findTold, prepareChangeNotices } from "./change-notices.server";
import { formerTrustOf } from "./former-trust.server";
import { endPending, openPrepared, prepareVerification } from "./open-verification.server";
import {
  accountIsFree,
  detailsOf,
  findPendingVerification,
  getPayee,
  insertChanges,
  lookUpLater,
  type PayeeRow,
  payeeIsUnchanged,
  pendingVerificationIs,
  replaceTerms,
  requireFreeAccount,
} from "./payee.server";
import {
  contactsSince,
  decideEdit,
  describeSlip,
  type EditDecision,
  type FieldChange,
  isBankField,
  maskChange,
  type ShownChange,
  showChange,
} from "./payee-edit";
import { listFormerNumbers } from "./payee-page.server";
import { findOriginThere } from "./second-person.server";

export type EditInput = {
  payeeId: string;
  /** Absent fields stay as they are. */
  patch: Partial<PayeeDetails>;
  /** What the editor saw; an edit made from an older version is refused. Absent: whatever is there now. */
  version?: number;
};

/** A verification may be decided, or one opened, at the very moment of an edit: the edit is then made anew. */
const TRIES = 3;

/**
 * Edits a payee. A change of BSB, account number or account name, or another payee name, takes the payee off both
 * whitelists, ends the pending verification, opens a new one and holds its authorised payments again. New bank details are
 * told to everyone who was a contact of the payee lately, a change of email or phone to the contacts it had before. Nobody
 * is told by the edit itself: `listNoticesOfPayee` says who was.
 * Works whatever the subscription. No change at all writes nothing.
 *
 * @throws AppError 404; 409 EDIT_CONFLICT when another person edited it meanwhile, DUPLICATE_PAYEE with `payeeId`
 */
export async function editPayee(services: NotifyServices, actor: Actor, input: EditInput): Promise<EditDecision> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const payee = await getPayee(services, actor, input.payeeId);
    if (input.version !== undefined && input.version !== payee.version) throw editConflict();
    const given = Object.fromEntries(Object.entries(input.patch).filter(([, value]) => value !== undefined));
    const next = { ...detailsOf(payee), ...given };
    const decision = decideEdit(payee, next);
    if (decision.changes.length === 0) return decision;
    if (decision.accountChanged) await requireFreeAccount(services, actor.organizationId, next, payee.id);
    if (await write(atOneInstant(services), actor, { payee, next, decision })) return decision;
  }
  throw editConflict();
}

/**
 * @param services at one instant: the verification of the change is known by being no older than the change
 * @returns false when something changed since the payee was read
 */
async function write(services: NotifyServices, actor: Actor, edit: Edit): Promise<boolean> {
  const { organizationId } = actor;
  const { payee, next, decision } = edit;
  const pendingId = await findPendingVerification(services, actor, payee.id);
  const ended = decision.endsTrust ? await endTrust(services, actor, edit, pendingId) : undefined;
  const told = await prepareChangeNotices(
    services,
    actor,
    edit,
    decision.bankDetailsChanged ? (ended?.verificationId ?? null) : null,
  );
  const origin = decision.accountChanged ? await findOriginThere(services, actor, payee.id, next) : undefined;
  const seen = ended || pendingId === undefined ? [] : await lookAtNewEmail(services, actor, edit, pendingId);
  const { ok } = await runCommand(services, actor, {
    conditions: [
      payeeIsUnchanged(services, organizationId, payee),
      ...(decision.accountChanged ? [accountIsFree(organizationId, next, payee.id)] : []),
      ...(ended ? [pendingVerificationIs(services, organizationId, payee.id, pendingId)] : []),
      ...(told?.conditions ?? []),
    ],
    uniques: { account_taken: "payees", verification_pending: "verifications" },
    statements: [...updatePayee(services, actor, { ...edit, origin }, ended?.digests), ...seen],
    audit: auditOfEdit({ ...edit, origin }, told?.telling),
    parts: [...(ended?.parts ?? []), ...(told?.parts ?? [])],
    answer: undefined,
  });
  return ok;
}

/**
 * What follows when what was verified of a payee changes, its bank details or its name, in the batch of the edit: the
 * pending verification ends, a new one opens, and payments that were authorised for the former are held again.
 */
async function endTrust(
  services: NotifyServices,
  actor: Actor,
  { payee, next, decision }: Edit,
  pendingId: string | undefined,
): Promise<{ digests: Digests; parts: CommandPart[]; verificationId: string }> {
  const cause = decision.bankDetailsChanged ? "details_edited" : "payee_renamed";
  const [digests, prepared] = await Promise.all([
    fingerprintPayee(services, next),
    prepareVerification(services, actor, { payeeId: payee.id, details: next, cause }),
  ]);
  const held = holdAuthorisedPayments(services, actor, {
    payee,
    cause: decision.bankDetailsChanged ? "bank_details_changed" : "payee_renamed",
  });
  const reason = `The payee's ${decision.bankDetailsChanged ? "bank details were" : "name was"} changed`;
  const ending = { payeeId: payee.id, reason, reasonCode: CLOSING_REASONS[cause] };
  const ended = pendingId === undefined ? [] : [endPending(services, actor, { ...ending, verificationId: pendingId })];
  const { verificationId } = prepared;
  return { digests, parts: [...ended, openPrepared(services, actor, prepared), held], verificationId };
}

/** A verification that waits learns of a new email domain that looks like the former one. */
async function lookAtNewEmail(
  services: Pick<Services, "db">,
  { organizationId }: Actor,
  { payee, next }: Edit,
  verificationId: string,
): Promise<Statement[]> {
  if (next.email === payee.email) return [];
  const formerEmailsOf = await listFormerEmails(services, organizationId, [payee.id]);
  const itself = { payeeId: payee.id, formerEmails: formerEmailsOf(payee.id) };
  return addLookalikes(services, organizationId, { verificationId, lookalikes: lookalikeOfItself(next, itself) });
}

export function editConflict(extra?: Record<string, unknown>): AppError {
  return new AppError(
    "EDIT_CONFLICT",
    409,
    "Someone changed this payee since you opened it. Look at what it says now, then save again if you still want to.",
    { extra },
  );
}

/** An edit, and the accounting system that its new account came from; undefined: no system has it for the payee. */
type EditWithOrigin = Edit & { origin: DetailsOrigin | undefined };

/** Digests of the account as it is now; absent while what was verified stays. */
type Digests = { hash: string; accountFingerprint: string };

/** The payee's new row, one row for each changed field, and the words it is found under. */
function updatePayee(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, userId }: Actor,
  { payee, next, decision, origin }: EditWithOrigin,
  digests: Digests | undefined,
): Statement[] {
  const now = clock.now();
  const { bankDetailsChanged, renamed, endsTrust, contactChanged } = decision;
  return [
    db
      .update(payees)
      .set({
        ...next,
        ...(endsTrust ? { ...digests, ...OFF_WHITELISTS, ...formerTrustOf(payee) } : {}),
        ...(bankDetailsChanged ? { bankDetailsChangedAt: now, bankDetailsChangedById: userId } : {}),
        ...(renamed ? { renamedAt: now } : {}),
        ...(contactChanged ? { contactChangedAt: now } : {}),
        ...(origin ? { accountingOrigins: [...(payee.accountingOrigins ?? []), origin] } : {}),
        version: payee.version + 1,
        updatedAt: now,
      })
      .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payee.id))),
    ...insertChanges({ db, clock, ids }, { organizationId, userId }, payee.id, decision.changes),
    ...replaceTerms({ db }, organizationId, payee.id, next),
    ...(next.name === payee.name || endsTrust ? [] : [comparePayeeName({ db }, organizationId, payee.id, next)]),
    ...lookUpLater({ db, clock, ids }, organizationId, [
      { abn: next.abn === payee.abn ? null : next.abn, email: next.email === payee.email ? null : next.email },
    ]),
  ];
}

/**
 * What the audit trail says of the edit: bank details, another name and the rest apart, account numbers masked.
 * @param telling of changed bank details: how many contacts can be told, and what holds their message up
 */
function auditOfEdit({ payee, decision, origin }: EditWithOrigin, telling?: ToldOfChange["telling"]): CommandAudit[] {
  const onPayee = { entityType: "payee", entityId: payee.id } as const;
  const { changes, bankDetailsChanged, renamed, endsTrust } = decision;
  const isName = ({ field }: FieldChange) => renamed && field === "name";
  const entry = (
    action: "payee.edited" | "payee.bank_details_changed" | "payee.renamed",
    ofIt: readonly FieldChange[],
    more: Omit<Written<"payee.bank_details_changed">, "changes"> = {},
  ): CommandAudit[] =>
    ofIt.length === 0 ? [] : [{ ...onPayee, action, details: { changes: ofIt.map(maskChange), ...more } }];
  const cameFrom = origin && { cameFrom: origin.system, editedBy: origin.editedBy };
  const reason = `${renamed ? (bankDetailsChanged ? "Name and bank details" : "Name") : "Bank details"} changed`;
  const details = { reason, whitelistGlobal: payee.whitelistGlobal };
  return [
    ...entry(
      "payee.edited",
      changes.filter((change) => !isBankField(change) && !isName(change)),
    ),
    ...entry("payee.bank_details_changed", changes.filter(isBankField), { telling, ...cameFrom }),
    ...entry("payee.renamed", changes.filter(isName)),
    ...(endsTrust && payee.whitelisted ? [{ ...onPayee, action: "payee.unwhitelisted" as const, details }] : []),
  ];
}

/** What the edit form's answer carries besides. */
export type EditExtra = {
  /** The version that saving again is made from. */
  version?: number;
  /** Where what is there now differs from what was typed, when another person edited meanwhile. */
  conflict?: ShownChange[];
  /** What follows from the change of bank details or name that is to be confirmed. */
  confirm?: Confirmation;
};

export type Confirmation = Awaited<ReturnType<typeof foresee>>;

export type EditPost = {
  details: PayeeDetails;
  /** What the editor saw. */
  version: number;
  /** The editor has seen what follows from a change of bank details or name. */
  isConfirmed: boolean;
};

/**
 * A post of the edit form. A change of bank details, or another name, is first shown with everything that follows from it, and made when
 * it is posted again as confirmed; other changes are made at once.
 *
 * @throws AppError 404; 409 DUPLICATE_PAYEE, EDIT_CONFLICT with `version` and `conflict`: what differs from what is there now
 */
export async function submitEdit(
  services: NotifyServices,
  actor: Actor,
  payeeId: string,
  { details, version, isConfirmed }: EditPost,
): Promise<{ done: EditDecision; contacts: string } | { confirm: Confirmation }> {
  const payee = await getPayee(services, actor, payeeId);
  const decision = decideEdit(detailsOf(payee), details);
  if (version !== payee.version) throw conflictWith(payee, details);
  if (decision.endsTrust && !isConfirmed) {
    if (decision.accountChanged) await requireFreeAccount(services, actor.organizationId, details, payeeId);
    return { confirm: await foresee(services, actor, payee, decision) };
  }
  try {
    const done = await editPayee(services, actor, { payeeId, patch: details, version });
    return { done, contacts: await sayContactsOf(services, actor, payeeId, done) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "EDIT_CONFLICT") throw error;
    throw conflictWith(await getPayee(services, actor, payeeId), details);
  }
}

/** Whether the former contact was told of an edit: never before the provider has accepted the message. Empty: nothing to tell. */
export async function sayContactsOf(
  services: ReadServices & Pick<Services, "clock">,
  actor: Actor,
  payeeId: string,
  { bankDetailsChanged, contactChanged }: EditDecision,
): Promise<string> {
  if (!bankDetailsChanged && !contactChanged) return "";
  return contactSentence(await listNoticesOfPayee(services, actor, payeeId), services.clock.now());
}

/** Another edit came first: what it left is shown beside what was typed. */
function conflictWith(now: PayeeRow, details: PayeeDetails): AppError {
  const conflict = decideEdit(detailsOf(now), details).changes.map(showChange);
  return editConflict({ version: now.version, conflict });
}

/** What will happen when bank details or another name are saved. */
async function foresee(services: NotifyServices, actor: Actor, payee: PayeeRow, decision: EditDecision) {
  const now = services.clock.now();
  const [others, pendingId, { emails, mobiles }, formerNumbers] = await Promise.all([
    listMemberEmails(services, actor.organizationId, { except: actor.userId, canWrite: true }),
    findPendingVerification(services, actor, payee.id),
    findTold(services, actor, { payee, decision, now }),
    listFormerNumbers(services, actor, payee.id),
  ]);
  const { bankDetailsChanged, renamed } = decision;
  const typed = decision.changes.find(({ field }) => field === "accountNumber")?.to ?? null;
  return {
    changes: decision.changes.map(showChange),
    /** What ends the trust. */
    of: !renamed
      ? ("bank details" as const)
      : bankDetailsChanged
        ? ("name and bank details" as const)
        : ("name" as const),
    isWhitelisted: payee.whitelisted,
    hasPendingVerification: pendingId !== undefined,
    /** The new number is one slip of the hand away from one that the payee has or had. */
    possibleTypo: typed === null ? null : describeSlip(typed, [payee.accountNumber, ...formerNumbers]),
    /** How many other members will be told. */
    othersTold: others.length,
    /** The payee's contacts of the last weeks, who are told of changed bank details; of a name, of a replaced contact alone. */
    payeeTold: { emails, mobiles: mobiles.map(formatPhone) },
    /** Email or phone changes with them, or has just changed. */
    isContactChangedToo:
      bankDetailsChanged && (decision.contactChanged || (payee.contactChangedAt ?? 0) >= contactsSince(now)),
  };
}
