import { readForm } from "~/http/body.server";
import { apiWriter } from "~/http/page.server";
import { api } from "~/http/responses.server";
import { AppError } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import { findKnownPayees } from "~/modules/payees/payee-form.server";

/** The payees with the account or ABN of a form. A POST, so that bank numbers are never in an address. */
export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const form = await readForm(args.request);
    if (!form.has("accountNumber") && !form.has("abn")) {
      throw new AppError("MALFORMED", "Send the BSB and the account number, or the ABN, of a payee.");
    }
    const exceptId = form.get("payeeId");
    const except = typeof exceptId === "string" && isId(exceptId) ? exceptId : undefined;
    return { known: await findKnownPayees(args.services, actor, form, except) };
  },
});
