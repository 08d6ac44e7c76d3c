import { formatAbn } from "~/kernel/abn";
import { offerFromRegister } from "~/modules/directories/offer.server";
import type { Services, WriteServices } from "~/services";

type Looking = WriteServices & Pick<Services, "businessRegister" | "log">;

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/**
 * The form's step to the business register: what was asked for, put into the form, and what the register offers next;
 * undefined when the form asks for something else.
 * @throws AppError 400 with a sentence beside the ABN
 */
export async function lookUpFromForm(services: Looking, form: FormData) {
  const takenAbn = textOf(form, "takeAbn");
  const takenName = textOf(form, "takeName");
  if (takenAbn) form.set("abn", formatAbn(takenAbn));
  if (takenName) form.set("name", takenName);
  if (!takenAbn && !takenName && form.get("intent") !== "look-up") return undefined;
  const name = textOf(form, "name") || textOf(form, "accountName");
  return { next: { register: await offerFromRegister(services, { abn: textOf(form, "abn"), name }) } };
}
