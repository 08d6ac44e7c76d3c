import type * as z from "zod";
import { AppError, type FieldErrors, invalidInput } from "~/kernel/app-error";

/** Largest body of a JSON call or a form. */
export const MAX_BODY_BYTES = 64 * 1024;
const MAX_DEPTH = 20;

const malformed = (message: string) => new AppError("MALFORMED", 400, message);

/** Reads at most `limit` bytes of strict UTF-8. @throws AppError 413, 400 */
export async function readText(request: Request, limit = MAX_BODY_BYTES): Promise<string> {
  const reader = request.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > limit) {
        await reader.cancel();
        throw new AppError("TOO_LARGE", 413, `The body is larger than ${Math.floor(limit / 1024)} KB.`);
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    if (error instanceof TypeError) throw malformed("The body is not valid UTF-8.");
    throw error;
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

/**
 * The JSON body of a call, checked against its schema. No body at all is `{}`.
 * @throws AppError 413, 415, 400 with fieldErrors
 */
export async function readJson<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const text = await readText(request);
  if (text !== "" && !/^application\/json\s*(;|$)/i.test(request.headers.get("Content-Type") ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", 415, "Send the body as application/json.");
  }
  if (depthOf(text) > MAX_DEPTH) throw malformed("The body is nested too deeply.");
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    throw malformed("The body is not valid JSON.");
  }
  return check(schema, value);
}

/** Checks a value against its schema. @throws AppError 400 with the sentences beside their fields */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fieldErrors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const field = issue.path.join(".") || "body";
    fieldErrors[field] = [...(fieldErrors[field] ?? []), issue.message];
  }
  const [first] = Object.values(fieldErrors);
  throw invalidInput(fieldErrors, first?.[0]);
}

/** A header, checked like a body; undefined when it was not sent. @throws AppError 400 */
export function readHeader<T>(request: Request, name: string, schema: z.ZodType<T>): T | undefined {
  const value = request.headers.get(name);
  return value === null ? undefined : check(schema, value);
}

/** The fields of a posted form. @throws AppError 413, 415 */
export async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get("Content-Type") ?? "";
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  if (declared > MAX_BODY_BYTES) throw new AppError("TOO_LARGE", 413, "The form is larger than 64 KB.");
  if (type.startsWith("application/x-www-form-urlencoded")) {
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(await readText(request))) form.append(name, value);
    return form;
  }
  if (type.startsWith("multipart/form-data")) return request.formData();
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", 415, "Send the form as a form.");
}
