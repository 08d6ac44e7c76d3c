import type { PaymentStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { payeeNotTrusted } from "~/modules/rules/payee-not-trusted";
import type { PaymentReason } from "~/modules/rules/payment-reason";

/** What to do about a held payment to an account that is no payee's. Pure. */

export type NextStep = { label: string; href: string };

type Reasons = readonly Pick<PaymentReason, "rule" | "evidence">[];

/** The payee of which the account of these reasons was before its bank details changed; null: of none. */
export function formerPayeeOf(reasons: Reasons): string | null {
  const { formerPayeeId } = reasons.find(({ rule }) => rule === payeeNotTrusted.id)?.evidence ?? {};
  return typeof formerPayeeId === "string" ? formerPayeeId : null;
}

type Held = { status: PaymentStatus; payeeId: string | null; reasons: Reasons };

/**
 * The payee of which the account was before its bank details changed; else a filled form that adds the account as a payee.
 *
 * @param addHref the form's address; null: the person may not add payees
 * @returns null when the account is a payee's, or when the payment is not held
 */
export function stepForUnknownAccount({ status, payeeId, reasons }: Held, addHref: string | null): NextStep | null {
  if (status !== "held" || payeeId !== null) return null;
  const formerPayeeId = formerPayeeOf(reasons);
  if (formerPayeeId !== null) {
    return { label: "See how the payee's account changed", href: appPaths.payee(formerPayeeId) };
  }
  return addHref === null ? null : { label: "Add as payee and verify", href: addHref };
}
