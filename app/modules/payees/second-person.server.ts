import {
  accountingContacts,
  organizationIntegrations,
  payeeChanges,
  paymentRecords,
  prepared,
  users,
  verifications,
} from "@db/database";
import { and, asc, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { findConnectable } from "~/kernel/accounting-system";
import { sameAccountNumber } from "~/kernel/bank-account";
import type { BankDetails, DetailsOrigin } from "~/kernel/payee";
import { displayName, type ReadServices, type TimedServices } from "~/services-and-actor";
import type { NamedOrigin } from "./details-origin";
import type { Asking } from "./payee.server";
import { type Approval, bankDetailsEditors, ENTERED_FIELDS, hasUnknownEditor, originOf } from "./second-person";

type Entered = BankDetails & {
  id: string;
  name: string;
  createdById: string | null;
  accountingOrigins: readonly DetailsOrigin[] | null;
};

/**
 * Everybody who entered any of the payee's present bank details, or gave it its name, however many edits lie between.
 */
export async function findBankDetailsEditors(
  { db }: ReadServices,
  { organizationId }: Asking,
  payee: Entered,
): Promise<ReadonlySet<string>> {
  const changes = await bankDetailsChangesOf(db).all({ organizationId, payeeId: payee.id });
  return bankDetailsEditors(payee, changes);
}

/** What `bankDetailsEditors` reads of each change. */
export const bankDetailChangeColumns = {
  field: payeeChanges.field,
  oldValue: payeeChanges.oldValue,
  newValue: payeeChanges.newValue,
  userId: payeeChanges.userId,
};

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

/**
 * Everybody who would approve their own work by trusting the payee: they entered its details, or requested its newest
 * verification.
 */
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
export async function findHeldPaymentRecorders(
  { db }: ReadServices,
  { organizationId }: Asking,
  payeeId: string,
): Promise<string[]> {
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
  account: Omit<BankDetails, "accountName">,
): Promise<DetailsOrigin | undefined> {
  const rows = await db
    .select({
      system: accountingContacts.system,
      accountNumber: accountingContacts.seenAccountNumber,
      editedBy: accountingContacts.editedBy,
      editors: accountingContacts.editors,
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
