import type * as z from "zod";
import { AppError, type FieldErrors, invalidInput } from "~/kernel/app-error";
import { readAtMost } from "~/kernel/encodings";
import { FILE_LIMITS } from "~/kernel/limits";
import { plainWords } from "~/kernel/plain-issues";
import { cleanLine } from "~/kernel/text";

/** The largest body of a JSON call or a form. */
export const MAX_BODY_BYTES = FILE_LIMITS.body.bytes;
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 20;

const malformed = (message: string) => new AppError("MALFORMED", message);

const KB = 1024;
const MB = 1024 * KB;

/** A number of bytes in readable form, rounded down. */
export const sizeText = (bytes: number): string =>
  bytes >= MB ? `${Math.floor(bytes / MB)} MB` : `${Math.floor(bytes / KB)} KB`;

/** Reads at most `limit` bytes and discards the rest, so that the connection stays usable. @throws AppError 413 */
async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readAtMost(request.body, limit);
  if (bytes) return bytes;
  await discardBody(request.body);
  throw new AppError("TOO_LARGE", `The body is larger than ${sizeText(limit)}.`);
}

/** Reads at most `limit` bytes of strict UTF-8. @throws AppError 413, 400 */
export async function readText(request: Request, limit = MAX_BODY_BYTES): Promise<string> {
  const bytes = await readBytes(request, limit);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed("The body is not valid UTF-8.");
  }
}

/**
 * Reads and discards an unused body, up to a limit. A server closes the connection after an unread body, and a client's
 * next request on a kept-alive connection would fail without explanation.
 */
export async function discardBody(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body || body.locked) return;
  const reader = body.getReader();
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done && size < MAX_DISCARDED_BYTES; read = await reader.read()) {
      size += read.value.byteLength;
    }
  } catch {
    // The client disconnected, so nothing is left to read.
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === "\\") i++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = true;
    else if (c === "{" || c === "[") deepest = Math.max(deepest, ++depth);
    else if (c === "}" || c === "]") depth--;
  }
  return deepest;
}

/** The JSON body of a call, validated; a missing one counts as `{}`. @throws AppError 413, 415, 400 with fieldErrors */
export async function readJson<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const text = await readText(request);
  if (text !== "" && !/^application\/json\s*(;|$)/i.test(request.headers.get("Content-Type") ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json.");
  }
  return check(schema, parseObject(text));
}

/** Parses a body's JSON object; a missing body counts as `{}`. @throws AppError 400 */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  if (depthOf(text) > MAX_DEPTH) throw malformed("The body is nested too deeply.");
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    throw malformed("The body is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw malformed("The body must be a JSON object.");
  }
  return value as Readonly<Record<string, unknown>>;
}

/** Validates a value. @throws AppError 400 with the sentences beside their fields */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value, { error: plainWords });
  if (result.success) return result.data;
  const fieldErrors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const field = issue.path.join(".") || "body";
    fieldErrors[field] = [...(fieldErrors[field] ?? []), issue.message];
  }
  const [first] = Object.values(fieldErrors);
  throw invalidInput(fieldErrors, first?.[0]);
}

/** A header, validated like a body; undefined when it was not sent. @throws AppError 400 */
export function readHeader<T>(request: Request, name: string, schema: z.ZodType<T>): T | undefined {
  const value = request.headers.get(name);
  return value === null ? undefined : check(schema, value);
}

/**
 * Reads the fields of a posted form; one with a file may be larger. A field with no name, or with control characters in
 * its name, cannot come from our forms, and would break the code that writes the form out again.
 * @throws AppError 413, 415, 400
 */
export async function readForm(request: Request, limit = MAX_BODY_BYTES): Promise<FormData> {
  const form = await readFields(request, limit);
  for (const name of form.keys()) if (name === "" || /\p{Cc}/u.test(name)) throw malformed("The form cannot be read.");
  return form;
}

async function readFields(request: Request, limit: number): Promise<FormData> {
  const type = request.headers.get("Content-Type") ?? "";
  if (type.startsWith("application/x-www-form-urlencoded")) {
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(await readText(request))) form.append(name, value);
    return form;
  }
  if (!type.startsWith("multipart/form-data")) {
    throw new AppError(
      "UNSUPPORTED_MEDIA_TYPE",
      "Send the form as multipart/form-data or application/x-www-form-urlencoded.",
    );
  }
  const bytes = await readBytes(request, limit);
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw malformed("The form cannot be read.");
  }
}

export type Upload = { name: string; bytes: Uint8Array<ArrayBuffer> };

/** The type of an Excel workbook: https://www.iana.org/assignments/media-types. */
export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const RAW: readonly string[] = ["text/plain", "text/csv", "application/octet-stream", XLSX_TYPE];
const MAX_NAME = 200;

/** Room for what a form adds around a file. */
const FORM_OVERHEAD = 16 * 1024;

const nameOf = (name: string, otherwise: string) => cleanLine(name).slice(0, MAX_NAME) || otherwise;

/**
 * Reads the file of an API call: raw bytes (`text/plain`, `text/csv`, `application/octet-stream`, or a workbook's type;
 * its name in `?name=`), or the part `file` of `multipart/form-data`.
 * @throws AppError 413, 415, 400
 */
export async function readUpload(request: Request, limit: number): Promise<Upload> {
  const type = request.headers.get("Content-Type") ?? "";
  if (RAW.includes((type.split(";")[0] ?? "").trim().toLowerCase())) {
    const name = new URL(request.url).searchParams.get("name") ?? "";
    return { name: nameOf(name, "upload"), bytes: await readBytes(request, limit) };
  }
  if (!type.startsWith("multipart/form-data")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the file as text/plain, text/csv or multipart/form-data.");
  }
  const file = findFile(await readForm(request, limit + FORM_OVERHEAD));
  if (!file) throw new AppError("MALFORMED", "The form has no file in a part called “file”.");
  return readFormFile(file);
}

/** The file of a form's field; undefined when none was chosen. */
export const findFile = (form: FormData): File | undefined => findFiles(form)[0];

/** Every file of a field that accepts several. A browser sends an empty file without a name when none was chosen. */
export function findFiles(form: FormData, field = "file"): File[] {
  return form.getAll(field).filter((file): file is File => file instanceof File && (file.size > 0 || file.name !== ""));
}

/** Reads a document of an accepted type from raw bytes; its name is in `x-file-name`. @throws AppError 413, 415 */
export async function readDocument(request: Request, types: readonly string[], limit: number): Promise<Upload> {
  const type = (request.headers.get("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!types.includes(type)) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", `Send the document as ${types.join(", ")}.`);
  }
  return { name: nameOf(readFileName(request), "invoice"), bytes: await readBytes(request, limit) };
}

/** Headers can contain only Latin letters, so other names are percent-encoded. */
function readFileName(request: Request): string {
  const name = request.headers.get("x-file-name") ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The name and the bytes of a form's file. */
export async function readFormFile(file: File): Promise<Upload> {
  return { name: nameOf(file.name, "upload"), bytes: new Uint8Array(await file.arrayBuffer()) };
}
