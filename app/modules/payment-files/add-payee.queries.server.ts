import type { Actor } from "~/kernel/actor";
import { formatBsb } from "~/kernel/bsb";
import { isId } from "~/kernel/ids";
import type { ReadServices } from "~/services";
import { getLine } from "./file-lines.queries.server";
import { readLineNumber } from "./payment-file.schema.server";

/**
 * The account of a file's line as the form that adds a payee shows it, for `?file=&line=`: the numbers themselves never
 * stand in an address. Undefined when nothing of the kind was asked for.
 * @throws AppError 404 for a line that is not the organisation's
 */
export async function findLineToAdd(services: ReadServices, actor: Actor, params: URLSearchParams) {
  const fileId = params.get("file");
  const line = readLineNumber(params.get("line") ?? undefined);
  if (fileId === null || !isId(fileId) || line === undefined) return undefined;
  const { accountName, bsb, accountNumber } = await getLine(services, actor, { fileId, line });
  return { name: accountName, accountName, bsb: formatBsb(bsb), accountNumber };
}
