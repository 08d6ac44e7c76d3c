import type { FieldErrors } from "~/kernel/app-error";
import { newPayeeSchema } from "~/modules/payees/payee-fields.server";
import type { CheckFields } from "./read-payee";

/** The rules of the form, for the fields of a row. */
export const checkFields: CheckFields = (fields) => {
  const result = newPayeeSchema.safeParse(fields);
  if (result.success) return { ok: true, details: result.data };
  const errors: FieldErrors = {};
  for (const { path, message } of result.error.issues) {
    const field = String(path[0] ?? "");
    errors[field] = [...(errors[field] ?? []), message];
  }
  return { ok: false, errors };
};
