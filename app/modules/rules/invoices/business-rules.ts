import { formatAbn } from "~/kernel/abn";
import type { InvoiceRule } from "./facts";
import { identifyPayee, isNamed } from "./verdict";

/** Findings about the business that the invoice says it comes from. */

export const abnOfAnother: InvoiceRule = {
  id: "abn_of_another",
  label: "The ABN is another business's",
  version: 1,
  defaultLevel: "hold",
  find(facts) {
    const { abn, byAbn, register, supplierName } = facts;
    const identified = identifyPayee(facts);
    if (abn === null || !identified) return undefined;
    const { payee } = identified;
    if (payee.abn !== null && payee.abn !== abn) {
      const whose = byAbn.find(({ id }) => id !== payee.id)?.name ?? register?.names[0];
      return {
        message: `The invoice gives ABN ${formatAbn(abn)}${whose ? `, which is ${whose}'s` : ""}. ${payee.name} has ABN ${formatAbn(payee.abn)}.`,
      };
    }
    if (payee.abn === null && register?.state === "active" && register.names.length > 0) {
      const names = [payee.name, payee.accountName, ...(supplierName === null ? [] : [supplierName])];
      const isTheirs = register.names.some((name) =>
        names.some((own) => isNamed({ ...payee, name: own, accountName: own }, name)),
      );
      if (!isTheirs)
        return {
          message: `The business register has ABN ${formatAbn(abn)} as ${register.names[0]}, not as ${payee.name}.`,
        };
    }
    return undefined;
  },
};

export const abnNotActive: InvoiceRule = {
  id: "abn_not_active",
  label: "The ABN is cancelled or unknown",
  version: 1,
  defaultLevel: "warn",
  find({ abn, register }) {
    if (abn === null || !register || register.state === "active") return undefined;
    const what = register.state === "cancelled" ? "is cancelled" : "is not in the business register";
    return { message: `ABN ${formatAbn(abn)} ${what}.` };
  },
};

export const gstNotRegistered: InvoiceRule = {
  id: "gst_not_registered",
  label: "GST is charged without a registration for GST",
  version: 1,
  defaultLevel: "warn",
  find({ abn, register, chargesGst }) {
    if (abn === null || !chargesGst || register?.state !== "active" || register.hasGst) return undefined;
    return { message: `The invoice charges GST, and ABN ${formatAbn(abn)} is not registered for GST.` };
  },
};

export const supplierNameDiffers: InvoiceRule = {
  id: "supplier_name_differs",
  label: "The supplier's name is not the payee's",
  version: 2,
  defaultLevel: "warn",
  find(facts) {
    const identified = identifyPayee(facts);
    const { supplierName } = facts;
    if (!identified || supplierName === null || isNamed(identified.payee, supplierName)) return undefined;
    if (facts.register?.names.some((name) => isNamed(identified.payee, name)) && identified.payee.abn === facts.abn)
      return undefined;
    return { message: `The invoice is from ${supplierName}. Its payee here is ${identified.payee.name}.` };
  },
};
