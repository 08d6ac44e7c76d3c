import { institutionOf, isPaymentCompany } from "~/kernel/bsb";
import type { Rule } from "./facts";

/** Holds money that is to go to a payment company where the payee always banked with a bank. */
export const paymentCompany: Rule = {
  id: "payment_company",
  label: "The account moved from a bank to a payment company",
  version: 1,
  defaultLevel: "hold",
  find({ payee, account, formerBsbs }) {
    if (!payee || !formerBsbs?.length || !isPaymentCompany(account.bsb)) return undefined;
    if (formerBsbs.some(isPaymentCompany)) return undefined;
    const name = institutionOf(account.bsb)?.name ?? "a payment company";
    const before = institutionOf(formerBsbs[0] ?? "")?.name ?? "a bank";
    return {
      message: `The account of ${payee.name} is now with ${name}, a payment company. It was with ${before} before.`,
      evidence: { payeeId: payee.id, institution: name, before },
    };
  },
};
