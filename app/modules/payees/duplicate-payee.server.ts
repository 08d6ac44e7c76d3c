import { AppError } from "~/kernel/app-error";
import type { BankDetails } from "~/kernel/payee";
import type { ReadServices } from "~/services";
import { findPayeeByAccount } from "./payee.queries.server";

/** The answer to an account that the organisation already has: which payee it is. */
export function duplicatePayee(existing: { id: string; name: string; archivedAt: number | null }): AppError {
  const archived = existing.archivedAt === null ? "" : " It is archived; restore it instead.";
  const message = `You already have a payee with this account: ${existing.name}.${archived}`;
  return new AppError("DUPLICATE_PAYEE", 409, message, {
    extra: { payeeId: existing.id, payeeName: existing.name },
    fieldErrors: { accountNumber: ["Another payee has this account"] },
  });
}

/** @throws AppError 409 DUPLICATE_PAYEE when another payee of the organisation has the account */
export async function requireFreeAccount(
  services: ReadServices,
  organizationId: string,
  account: Pick<BankDetails, "bsb" | "accountNumber">,
  exceptPayeeId?: string,
): Promise<void> {
  const existing = await findPayeeByAccount(services, organizationId, account, exceptPayeeId);
  if (existing) throw duplicatePayee(existing);
}

/** The answer when the account was taken at the moment of writing: by whom, or that it is worth another try. */
export async function accountTaken(
  services: ReadServices,
  organizationId: string,
  account: Pick<BankDetails, "bsb" | "accountNumber">,
): Promise<AppError> {
  const existing = await findPayeeByAccount(services, organizationId, account);
  return existing
    ? duplicatePayee(existing)
    : new AppError("EDIT_CONFLICT", 409, "Someone was changing this account at the same moment. Try again.");
}
