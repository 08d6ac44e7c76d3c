import {
  accountingContacts,
  columnsOf,
  organizationIntegrations,
  payeeChanges,
  paymentRecords,
  prepared,
  users,
  verifications,
} from "@db/database";
import { and, asc, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { findConnectable } from "~/kernel/accounting-system";
import { hasUnknownEditor, type Imported, originOf, sameAccountNumber } from "~/kernel/bank-account";
import { type Account, BANK_FIELDS, type BankDetails, type DetailsOrigin } from "~/kernel/payee";
import { displayName } from "~/kernel/text";
import { isAnotherName, namesDiffer } from "~/modules/name-match";
import type { Asking, ReadServices, TimedServices } from "~/services-and-actor";
import type { NamedOrigin } from "./details-origin";

/*
 * Who may not approve a payee's details, or a payment to it, when the organisation requires a second person: the rule,
 * and the look-ups of whose work a payee is.
 */

/** One change of a bank field; `userId` null: the system. */
export type BankDetailChange = Pick<typeof payeeChanges.$inferSelect, "field" | "oldValue" | "newValue" | "userId">;

/** The fields for which the product records who entered the present value. */
export const ENTERED_FIELDS = [...BANK_FIELDS, "name"] as const;

/**
 * Everybody who ever entered any of the payee's present bank details or its present name. Later or earlier edits by
 * others remove nobody from this list while one of their values is still in use. An imported account is the work of
 * whoever edited the supplier in the accounting system, as far as that is known, and of whoever connected the system.
 *
 * @param changes every change of the payee's `ENTERED_FIELDS`, oldest first
 */
export function bankDetailsEditors(
  payee: BankDetails & Pick<Imported, "accountingOrigins"> & { name: string; createdById: string | null },
  changes: readonly BankDetailChange[],
): ReadonlySet<string> {
  const here = BANK_FIELDS.flatMap((field) => {
    const ofField = changes.filter((change) => change.field === field);
    const [first] = ofField;
    const isSame = (value: string | null) => value !== null && isSameValue(field, value, payee[field]);
    const isAsCreated = first === undefined || isSame(first.oldValue);
    const editors = ofField.filter(({ newValue }) => isSame(newValue)).map(({ userId }) => userId);
    return isAsCreated ? [payee.createdById, ...editors] : editors;
  });
  const there = (payee.accountingOrigins ?? []).filter(
    (origin) => origin.bsb === payee.bsb || sameAccountNumber(origin.accountNumber, payee.accountNumber),
  );
  const people = [
    ...here,
    ...there.flatMap(({ editorIds, connectedById }) => [...editorIds, connectedById]),
    ...givers(payee.name, changes),
  ];
  return new Set(people.filter((person) => person !== null));
}

/**
 * Everybody who gave the payee its present name, or a similar one, when it had a different name. Changing only the
 * spelling does not count, and a colleague's correction removes nobody.
 */
const givers = (name: string, changes: readonly BankDetailChange[]): (string | null)[] =>
  changes.flatMap(({ field, oldValue, newValue, userId }) => {
    if (field !== "name" || oldValue === null || newValue === null) return [];
    return isAnotherName(oldValue, newValue) && !namesDiffer(newValue, name) ? [userId] : [];
  });

const isSameValue = (field: (typeof BANK_FIELDS)[number], a: string, b: string) =>
  field === "accountNumber" ? sameAccountNumber(a, b) : a === b;

/** What a person is about to approve: a payee's verification, a payment to the payee, or the payee itself. */
export type Approval = {
  /** The result of `bankDetailsEditors`. */
  enteredBy: ReadonlySet<string>;
  /** Who requested the payee's newest verification. */
  requestedById: string | null;
  /** Who recorded the payment; for a verification, everybody who recorded a payment that waits for a decision. */
  recordedBy: readonly (string | null)[];
};

/** True if the person would approve their own work. */
export function isOwnWork({ enteredBy, requestedById, recordedBy }: Approval, userId: string): boolean {
  return enteredBy.has(userId) || requestedById === userId || recordedBy.includes(userId);
}

type Entered = Parameters<typeof bankDetailsEditors>[0] & { id: string };

/** Everybody who entered any of the payee's present bank details, or gave it its name, however long ago. */
export async function findBankDetailsEditors({ db }: ReadServices, { organizationId }: Asking, payee: Entered) {
  const changes = await bankDetailsChangesOf(db).all({ organizationId, payeeId: payee.id });
  return bankDetailsEditors(payee, changes);
}

/** What `bankDetailsEditors` reads of each change. */
export const bankDetailChangeColumns = columnsOf(payeeChanges, "field", "oldValue", "newValue", "userId");

const bankDetailsChangesOf = prepared((db) =>
  db
    .select(bankDetailChangeColumns)
    .from(payeeChanges)
    .where(
      and(
        eq(payeeChanges.organizationId, sql.placeholder("organizationId")),
        eq(payeeChanges.payeeId, sql.placeholder("payeeId")),
        inArray(payeeChanges.field, [...ENTERED_FIELDS]),
      ),
    )
    .orderBy(asc(payeeChanges.id))
    .prepare(),
);

/** Everybody who would approve their own work by trusting the payee: its editors, and its verification's requester. */
export async function findApprovalOfPayee(services: ReadServices, actor: Asking, payee: Entered): Promise<Approval> {
  const [enteredBy, [newest]] = await Promise.all([
    findBankDetailsEditors(services, actor, payee),
    services.db
      .select({ requestedById: verifications.requestedById })
      .from(verifications)
      .where(and(eq(verifications.organizationId, actor.organizationId), eq(verifications.payeeId, payee.id)))
      .orderBy(desc(verifications.id))
      .limit(1),
  ]);
  return { enteredBy, requestedById: newest?.requestedById ?? null, recordedBy: [] };
}

/** Everybody who recorded a waiting payment to the payee. */
export async function findHeldPaymentRecorders({ db }: ReadServices, { organizationId }: Asking, payeeId: string) {
  const rows = await heldPaymentRecordersOf(db).all({ organizationId, payeeId });
  return rows.flatMap(({ userId }) => userId ?? []);
}

const heldPaymentRecordersOf = prepared((db) =>
  db
    .selectDistinct({ userId: paymentRecords.recordedById })
    .from(paymentRecords)
    .where(
      and(
        eq(paymentRecords.organizationId, sql.placeholder("organizationId")),
        eq(paymentRecords.payeeId, sql.placeholder("payeeId")),
        inArray(paymentRecords.status, ["held", "verification_requested"]),
        isNotNull(paymentRecords.recordedById),
      ),
    )
    .prepare(),
);

/** Where the payee's account was imported from, with the names of the people involved; null: it was not imported. */
export async function findNamedOrigin(
  { db }: ReadServices,
  payee: Pick<Entered, "bsb" | "accountNumber" | "accountingOrigins"> | null,
): Promise<NamedOrigin | null> {
  const origin = payee && originOf(payee);
  if (!origin) return null;
  const { system, cameAt, editedBy, editorIds, connectedById } = origin;
  const asked = JSON.stringify([...editorIds, connectedById]);
  const people = await db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(sql`${users.id} IN (SELECT value FROM json_each(${asked}))`);
  const nameOf = new Map(people.map(({ id, ...person }) => [id, displayName(person)]));
  return {
    ...{ system, cameAt, editedBy },
    isEditorKnown: !hasUnknownEditor(payee),
    editors: editorIds.flatMap((id) => nameOf.get(id) ?? []),
    connector: nameOf.get(connectedById ?? "") ?? null,
  };
}

/**
 * The accounting system that has a payee's new account for the matching supplier, if any: the account is then also the
 * work of whoever entered it there, whether it was imported or typed again.
 */
export async function findOriginThere(
  { db, clock }: TimedServices,
  { organizationId }: Asking,
  payeeId: string,
  account: Account,
): Promise<DetailsOrigin | undefined> {
  const rows = await db
    .select({
      system: accountingContacts.system,
      accountNumber: accountingContacts.seenAccountNumber,
      ...columnsOf(accountingContacts, "editedBy", "editors"),
      connectedById: organizationIntegrations.connectedById,
    })
    .from(accountingContacts)
    .leftJoin(
      organizationIntegrations,
      and(
        eq(organizationIntegrations.organizationId, organizationId),
        eq(organizationIntegrations.system, accountingContacts.system),
      ),
    )
    .where(
      and(
        eq(accountingContacts.organizationId, organizationId),
        eq(accountingContacts.payeeId, payeeId),
        eq(accountingContacts.seenBsb, account.bsb),
      ),
    );
  const found = rows.find(
    ({ accountNumber }) => accountNumber !== null && sameAccountNumber(accountNumber, account.accountNumber),
  );
  const system = findConnectable(found?.system);
  if (!found || !system) return undefined;
  return {
    system,
    bsb: account.bsb,
    accountNumber: account.accountNumber,
    cameAt: clock.now(),
    editedBy: found.editedBy,
    editorIds: found.editors?.ids ?? [],
    isEditorKnown: found.editors?.isKnown ?? false,
    connectedById: found.connectedById,
  };
}
