import { type DirectoryRow, parseDirectory } from "@db/seed/bsb/parse-directory.mjs";

/** A file of the BSB directory as its rows. Pure; the parser is the command's own. */

const MAX_ROWS = 40_000;
/** More faults than these help no person: the rest are counted. */
const MAX_FAULTS = 20;

export type DirectoryFile = { ok: true; rows: DirectoryRow[] } | { ok: false; faults: string[] };

/** The rows of the file, or every fault with its line, up to twenty. */
export function readDirectory(bytes: Uint8Array): DirectoryFile {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, faults: ["The file is not text in UTF-8. Choose the CSV form of the directory."] };
  }
  if (hasMoreLines(text, MAX_ROWS)) {
    return { ok: false, faults: [`The file has more than ${MAX_ROWS.toLocaleString("en-AU")} lines.`] };
  }
  const { rows, errors } = parseDirectory(text);
  if (errors.length === 0) return { ok: true, rows };
  const faults = errors.slice(0, MAX_FAULTS).map((error) => `${error[0]?.toUpperCase() ?? ""}${error.slice(1)}.`);
  const more = errors.length - faults.length;
  return { ok: false, faults: more > 0 ? [...faults, `And ${more.toLocaleString("en-AU")} more.`] : faults };
}

/** Counted before anything is parsed, so that a hostile file takes no memory. */
function hasMoreLines(text: string, limit: number): boolean {
  let lines = 0;
  for (const _ of text.matchAll(/\r\n?|\n/g)) if (++lines > limit) return true;
  return false;
}
