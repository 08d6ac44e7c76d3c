import { AppError } from "~/kernel/app-error";
import { ROW_OUTCOMES, type RowOutcome } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { type ColumnMapping, IMPORT_FIELDS, type ImportField } from "./table/columns";

/** What addresses, forms and calls say about imports. What an address says wrongly is left out: a link never fails. */

const COLUMNS = /^\d{1,3}(,\d{1,3}){0,15}$/;
const LINE = /^\d{1,9}$/;

/** The columns of `column.FIELD=3`, each a position or several; undefined where none is chosen at all. */
export function readMapping(values: Iterable<readonly [string, unknown]>): ColumnMapping | undefined {
  const given = new Map(values);
  const names = IMPORT_FIELDS.map((field) => `column.${field}`);
  if (!names.some((name) => given.has(name))) return undefined;
  const mapping: Partial<Record<ImportField, number[]>> = {};
  for (const field of IMPORT_FIELDS) {
    const value = given.get(`column.${field}`);
    if (typeof value === "string" && COLUMNS.test(value)) mapping[field] = value.split(",").map(Number);
  }
  return mapping;
}

export function readResultsQuery(params: URLSearchParams): { outcome?: RowOutcome; after?: number } {
  const outcome = ROW_OUTCOMES.find((each) => each === params.get("outcome"));
  const after = params.get("after") ?? "";
  return { outcome, after: LINE.test(after) ? Number(after) : undefined };
}

export function readImportsCursor(params: URLSearchParams): string | undefined {
  const after = params.get("after") ?? params.get("cursor") ?? "";
  return isId(after) ? after : undefined;
}

/**
 * The columns of a call: `?mapping={"name":"Supplier","bsb":3,"address":["Street",7]}`, by heading or position from 0.
 * @throws AppError 400 INVALID_INPUT naming what is wrong
 */
export function parseMapping(text: string | null, headings: readonly string[]): ColumnMapping | undefined {
  if (text === null || text === "") return undefined;
  const refuse = (message: string) =>
    new AppError("INVALID_INPUT", 400, message, { fieldErrors: { mapping: [message] }, extra: { headings } });
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw refuse("The mapping is not valid JSON");
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw refuse("The mapping must be an object");
  const mapping: Partial<Record<ImportField, number[]>> = {};
  for (const [name, value] of Object.entries(given)) {
    const field = IMPORT_FIELDS.find((each) => each === name);
    if (!field) throw refuse(`The mapping names a field that there is not: ${name}`);
    mapping[field] = (Array.isArray(value) ? value : [value]).map((column: unknown) => {
      const at = typeof column === "number" ? column : headings.indexOf(String(column));
      if (!Number.isInteger(at) || at < 0 || at >= headings.length) {
        throw refuse(`The file has no column “${String(column)}” for ${name}`);
      }
      return at;
    });
  }
  return mapping;
}
