import { maskAccountNumber } from "~/kernel/account-number";
import { institutionOf } from "~/kernel/bsb";
import { toIso } from "~/kernel/dates";
import type { VerificationStatus } from "~/kernel/enums";
import { type BankDetails, payeeStatus } from "~/kernel/payee";
import type { Grade } from "~/modules/payees/verifications/grade";
import { toGradeJson } from "~/modules/payees/verifications/verification.json";
import type { ListedPayee } from "./payee-list.server";
import type { listChanges } from "./payee-page.server";

type Latest = BankDetails & { status: VerificationStatus; createdAt: number };

/** What answers say of a payee; digests never leave the database. */
type PayeeSummary = Omit<ListedPayee, "latest" | "verified" | "archivedAt">;

const isoOrNull = (ms: number | null) => (ms === null ? null : toIso(ms));

/** A payee as the API shows it. @param grade how it was verified */
export function toPayeeJson(payee: PayeeSummary, latest: Latest | null, grade: Grade | null) {
  return {
    id: payee.id,
    name: payee.name,
    accountName: payee.accountName,
    bsb: payee.bsb,
    accountNumber: payee.accountNumber,
    institution: institutionOf(payee.bsb)?.name ?? null,
    abn: payee.abn,
    email: payee.email,
    phone: payee.phone,
    address: payee.address,
    status: payeeStatus(payee, latest),
    grade: toGradeJson(grade),
    paymentCount: payee.paymentCount,
    lastPaymentDate: isoOrNull(payee.lastPaymentDate),
    whitelisted: payee.whitelisted,
    whitelistedAt: isoOrNull(payee.whitelistedAt),
    whitelistedById: payee.whitelistedById,
    whitelistedReason: payee.whitelistedReason,
    whitelistGlobal: payee.whitelistGlobal,
    version: payee.version,
    bankDetailsChangedAt: isoOrNull(payee.bankDetailsChangedAt),
    renamedAt: isoOrNull(payee.renamedAt),
    contactChangedAt: isoOrNull(payee.contactChangedAt),
    disputedAt: isoOrNull(payee.disputedAt),
    draftSince: isoOrNull(payee.draftSince),
    createdAt: toIso(payee.createdAt),
    updatedAt: toIso(payee.updatedAt),
  };
}

/** The same in a list: the account number masked, as the pages mask it. */
export function toListedPayeeJson(payee: PayeeSummary, latest: Latest | null, grade: Grade | null) {
  return { ...toPayeeJson(payee, latest, grade), accountNumber: maskAccountNumber(payee.accountNumber) };
}

export function toChangeJson({
  id,
  field,
  oldValue,
  newValue,
  userName,
  createdAt,
}: Awaited<ReturnType<typeof listChanges>>[number]) {
  return { id, field, oldValue, newValue, changedBy: userName, createdAt: toIso(createdAt) };
}
