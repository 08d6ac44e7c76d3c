import { type FieldErrors, invalidInput } from "~/kernel/app-error";
import {
  ACCOUNT_FIELDS,
  CSV_FIELD_LABELS,
  CSV_FIELDS,
  type CsvField,
  type CsvMapping,
  NO_COLUMN,
  NOT_IN_TABLE,
} from "./csv/columns";
import type { UploadInput } from "./upload-file.server";

/** Text up to this size is shown again, so that a table whose columns are to be chosen need not be sent twice. */
const MAX_SHOWN_AGAIN = 200_000;
const MAX_SIGNATURE = 4_000;

/**
 * What the upload form holds: a file, or pasted payments, and the columns of its table where somebody chose them.
 * @param file the chosen file, read
 * @throws AppError 400 with the sentences beside their fields
 */
export function parseUpload(
  form: FormData,
  file: { name: string; bytes: Uint8Array<ArrayBuffer> } | undefined,
): UploadInput {
  const pasted = form.get("pasted");
  const text = typeof pasted === "string" ? pasted : "";
  const columns = parseColumns(form);
  if (file) return { ...file, columns };
  if (text.trim() === "") throw invalidInput({ file: ["Choose a file, or paste the payments"] });
  return { name: "Pasted payments", bytes: new TextEncoder().encode(text), isPasted: true, columns };
}

function parseColumns(form: FormData): UploadInput["columns"] {
  const signature = form.get("signature");
  if (typeof signature !== "string" || signature.length > MAX_SIGNATURE) return undefined;
  const errors: FieldErrors = {};
  const chosen: Partial<Record<CsvField, number>> = {};
  for (const field of CSV_FIELDS) {
    const value = form.get(`column.${field}`);
    if (typeof value === "string" && /^\d{1,3}$/.test(value)) chosen[field] = Number(value);
    else if (value === NO_COLUMN && ACCOUNT_FIELDS.includes(field)) chosen[field] = NOT_IN_TABLE;
    else errors[`column.${field}`] = [`Choose the column of the ${CSV_FIELD_LABELS[field].toLowerCase()}`];
  }
  const lacking = ACCOUNT_FIELDS.filter((field) => chosen[field] === NOT_IN_TABLE);
  if (lacking.length === 1)
    errors[`column.${lacking[0]}`] = ["An account needs its BSB and its number: choose both, or neither"];
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return { signature, mapping: chosen as CsvMapping };
}

/** Puts the text of a refused table into the form, where it fits, so that it comes back with the choice of columns. */
export function returnTableToForm(form: FormData, bytes: Uint8Array): void {
  if (bytes.length <= MAX_SHOWN_AGAIN) form.set("pasted", new TextDecoder().decode(bytes));
}
