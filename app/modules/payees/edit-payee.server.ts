import { payees, type Statement } from "@db/database";
import { and, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import type { DetailsOrigin, FormerTrust, PayeeDetails } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { listMemberEmails } from "~/modules/accounts/members/members.server";
import type { Written } from "~/modules/core/audit/audit";
import {
  atOneInstant,
  type CommandAudit,
  type CommandPart,
  runCommand,
} from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-keys";
import { lookUpLater } from "~/modules/directories/directory.server";
import {
  listNoticesOfPayee,
  type ToldOfChange,
} from "~/modules/messages/notifications/change-notices.statements.server";
import { contactSentence } from "~/modules/messages/notifications/notice-rules";
import { OFF_WHITELISTS } from "~/modules/payees/payee.server";
import { lookalikeOfItself } from "~/modules/payees/verifications/evidence";
import { listFormerEmails } from "~/modules/payees/verifications/evidence.server";
import { CLOSING_REASONS } from "~/modules/payees/verifications/verification";
import { addLookalikes, comparePayeeName } from "~/modules/payees/verifications/verification.server";
import { holdAuthorisedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { Actor, ReadServices, Services, TimedServices, WriteServices } from "~/services-and-actor";
import { type Edit, findTold, prepareChangeNotices } from "./change-notices.server";
import { endPending, openPrepared, prepareVerification } from "./open-verification.server";
import {
  accountIsFree,
  detailsOf,
  findPendingVerification,
  getPayee,
  insertChanges,
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
  /** Absent fields keep their value. */
  patch: Partial<PayeeDetails>;
  /** The version that the editor saw; an edit based on an older one is refused. Absent: the current version. */
  version?: number;
};

/** A verification may be decided or opened during an edit; the edit is then tried again. */
const TRIES = 3;

/**
 * Edits a payee. A new BSB, account number or account name, or a different payee name, takes the payee off both
 * whitelists, ends the pending verification, opens a new one and holds its authorised payments again. Every recent
 * contact of the payee is told about new bank details; the former contacts are told about a new email or phone. The
 * edit only queues these messages: `listNoticesOfPayee` says who was told. Does not require a subscription. Writes
 * nothing if nothing changed.
 *
 * @throws AppError 404; 409 EDIT_CONFLICT when another person edited it meanwhile, DUPLICATE_PAYEE with `payeeId`
 */
export async function editPayee(services: WriteServices, actor: Actor, input: EditInput): Promise<EditDecision> {
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
 * @param services with the clock fixed at one instant, because the verification is recognised as this change's by being
 * no older than it
 * @returns false when something changed since the payee was read
 */
async function write(services: WriteServices, actor: Actor, edit: Edit): Promise<boolean> {
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
  });
  return ok;
}

/**
 * The consequences of changing verified details (bank details or name), in the batch of the edit: the pending
 * verification ends, a new one opens, and payments authorised for the former details are held again.
 */
async function endTrust(
  services: WriteServices,
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

/** Adds a lookalike warning to a pending verification when the new email domain resembles the former one. */
async function lookAtNewEmail(
  services: ReadServices,
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
    "Someone changed this payee since you opened it. Look at what it says now, then save again if you still want to.",
    { extra },
  );
}

/** An edit, and the accounting system that has the new account for the payee; undefined: no system has it. */
type EditWithOrigin = Edit & { origin: DetailsOrigin | undefined };

/** Digests of the new account; absent while the verified details stay the same. */
type Digests = { hash: string; accountFingerprint: string };

/** Statements that update the payee's row, store one row for each changed field, and update its search terms. */
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

/** What a whitelisted payee was trusted with, stored by the edit that ends the trust; an earlier value is kept. */
function formerTrustOf(payee: PayeeRow): { formerTrust: FormerTrust } | undefined {
  if (!payee.whitelisted) return undefined;
  const { name, accountName, bsb, accountNumber } = payee;
  const { whitelistedAt, whitelistedById, whitelistedReason, whitelistGlobal } = payee;
  const { bankDetailsChangedAt, bankDetailsChangedById, renamedAt } = payee;
  return {
    formerTrust: {
      name,
      accountName,
      bsb,
      accountNumber,
      whitelistedAt,
      whitelistedById,
      whitelistedReason,
      whitelistGlobal,
      bankDetailsChangedAt,
      bankDetailsChangedById,
      renamedAt,
    },
  };
}

/**
 * The audit entries of the edit: bank details, a rename and other changes separately, with account numbers masked.
 * @param telling for changed bank details: how many contacts can be told, and what delays the message
 */
function auditOfEdit({ payee, decision, origin }: EditWithOrigin, telling?: ToldOfChange["telling"]): CommandAudit[] {
  const entityId = payee.id;
  const { changes, bankDetailsChanged, renamed, endsTrust } = decision;
  const isName = ({ field }: FieldChange) => renamed && field === "name";
  const entry = (
    action: "payee.edited" | "payee.bank_details_changed" | "payee.renamed",
    ofIt: readonly FieldChange[],
    more: Omit<Written<"payee.bank_details_changed">, "changes"> = {},
  ): CommandAudit[] =>
    ofIt.length === 0 ? [] : [{ action, entityId, details: { changes: ofIt.map(maskChange), ...more } }];
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
    ...(endsTrust && payee.whitelisted ? [{ action: "payee.unwhitelisted" as const, entityId, details }] : []),
  ];
}

/** What the form's answer contains besides errors. */
export type EditExtra = {
  /** The version that the next attempt to save is based on. */
  version?: number;
  /** How the present values differ from what was typed, when another person edited meanwhile. */
  conflict?: ShownChange[];
  /** The consequences to confirm before bank details or the name change. */
  confirm?: Confirmation;
};

export type Confirmation = Awaited<ReturnType<typeof foresee>>;

export type EditPost = {
  details: PayeeDetails;
  /** The version that the editor saw. */
  version: number;
  /** The editor has seen the consequences of changing bank details or the name. */
  isConfirmed: boolean;
};

/**
 * Handles a post of the edit form. A change of bank details or name first shows its consequences, and is saved when the
 * form is posted again as confirmed; other changes are saved at once.
 *
 * @throws AppError 404; 409 DUPLICATE_PAYEE, EDIT_CONFLICT with `version` and `conflict`: how the present values differ
 */
export async function submitEdit(
  services: WriteServices,
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
    return { done, contacts: await readContactSentence(services, actor, payeeId, done) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "EDIT_CONFLICT") throw error;
    throw conflictWith(await getPayee(services, actor, payeeId), details);
  }
}

/**
 * Says whether the former contact was told about an edit; a message counts only once the provider has accepted it.
 * Empty: there is nothing to say.
 */
export async function readContactSentence(
  services: TimedServices,
  actor: Actor,
  payeeId: string,
  { bankDetailsChanged, contactChanged }: EditDecision,
): Promise<string> {
  if (!bankDetailsChanged && !contactChanged) return "";
  return contactSentence(await listNoticesOfPayee(services, actor, payeeId), services.clock.now());
}

/** The error when another edit was saved first: shows the present values beside what was typed. */
function conflictWith(now: PayeeRow, details: PayeeDetails): AppError {
  const conflict = decideEdit(detailsOf(now), details).changes.map(showChange);
  return editConflict({ version: now.version, conflict });
}

/** The consequences of saving new bank details or a different name. */
async function foresee(services: WriteServices, actor: Actor, payee: PayeeRow, decision: EditDecision) {
  const now = services.clock.now();
  const [others, pendingId, { emails, mobiles }, formerNumbers] = await Promise.all([
    listMemberEmails(services, actor.organizationId, actor.userId),
    findPendingVerification(services, actor, payee.id),
    findTold(services, actor, { payee, decision, now }),
    listFormerNumbers(services, actor, payee.id),
  ]);
  const { bankDetailsChanged, renamed } = decision;
  const typed = decision.changes.find(({ field }) => field === "accountNumber")?.to ?? null;
  return {
    changes: decision.changes.map(showChange),
    /** Which change ends the trust. */
    of: !renamed
      ? ("bank details" as const)
      : bankDetailsChanged
        ? ("name and bank details" as const)
        : ("name" as const),
    isWhitelisted: payee.whitelisted,
    hasPendingVerification: pendingId !== undefined,
    /** Set when the new number differs by one slip from a number that the payee has or had. */
    possibleTypo: typed === null ? null : describeSlip(typed, [payee.accountNumber, ...formerNumbers]),
    /** How many other members are told. */
    othersTold: others.length,
    /** The recent contacts who are told about changed bank details; for a rename, only those of a replaced contact. */
    payeeTold: { emails, mobiles: mobiles.map(formatPhone) },
    /** The email or phone changes in the same edit, or changed recently. */
    isContactChangedToo:
      bankDetailsChanged && (decision.contactChanged || (payee.contactChangedAt ?? 0) >= contactsSince(now)),
  };
}
