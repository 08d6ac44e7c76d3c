import { AppError } from "~/kernel/app-error";
import type { Services } from "~/services";
import type { BankDetails } from "./payee";
import { findPayeeByAccount } from "./payee.queries.server";

/** The answer to an account that the organisation already has: which payee it is. */
export function duplicatePayee(existing: { id: string; name: string }): AppError {
  const message = `You already have a payee with this account: ${existing.name}.`;
  return new AppError("DUPLICATE_PAYEE", 409, message, {
    extra: { payeeId: existing.id, payeeName: existing.name },
    fieldErrors: { accountNumber: ["Another payee has this account"] },
  });
}

/** @throws AppError 409 DUPLICATE_PAYEE when another payee of the organisation has the account */
export async function requireFreeAccount(
  services: Pick<Services, "db">,
  organizationId: string,
  account: Pick<BankDetails, "bsb" | "accountNumber">,
  exceptPayeeId?: string,
): Promise<void> {
  const existing = await findPayeeByAccount(services, organizationId, account, exceptPayeeId);
  if (existing) throw duplicatePayee(existing);
}
