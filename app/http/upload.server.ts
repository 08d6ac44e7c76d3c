import { AppError } from "~/kernel/app-error";
import { cleanLine } from "~/kernel/text";
import { readBytes, readForm } from "./body.server";

/** A file as a call sends it. */
export type Upload = { name: string; bytes: Uint8Array<ArrayBuffer> };

const RAW = /^(text\/plain|text\/csv|application\/octet-stream)\s*(;|$)/i;
const MAX_NAME = 200;

/** Room for what a form wraps around a file. */
const FORM_OVERHEAD = 16 * 1024;

const nameOf = (name: string, otherwise: string) => cleanLine(name).slice(0, MAX_NAME) || otherwise;

/**
 * The file of a call: the bytes themselves (`text/plain`, `text/csv`, `application/octet-stream`; its name in `?name=`), or
 * the part `file` of `multipart/form-data`.
 * @throws AppError 413, 415, 400
 */
export async function readUpload(request: Request, limit: number): Promise<Upload> {
  const type = request.headers.get("Content-Type") ?? "";
  if (RAW.test(type)) {
    const name = new URL(request.url).searchParams.get("name") ?? "";
    return { name: nameOf(name, "upload"), bytes: await readBytes(request, limit) };
  }
  if (!type.startsWith("multipart/form-data")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", 415, "Send the file as text/plain, text/csv or multipart/form-data.");
  }
  const file = findFile(await readForm(request, limit + FORM_OVERHEAD));
  if (!file) throw new AppError("MALFORMED", 400, "The form has no part called “file”.");
  return readFormFile(file);
}

/** The file of a form's field; undefined when none was chosen. */
export function findFile(form: FormData, field = "file"): File | undefined {
  const file = form.get(field);
  return file instanceof File && (file.size > 0 || file.name !== "") ? file : undefined;
}

/** The name and the bytes of a form's file. */
export async function readFormFile(file: File): Promise<Upload> {
  return { name: nameOf(file.name, "upload"), bytes: new Uint8Array(await file.arrayBuffer()) };
}
