import type { Actor } from "~/kernel/actor";
import { formatBsb } from "~/kernel/bsb";
import { isId } from "~/kernel/ids";
import type { BankDetails } from "~/kernel/payee";
import { getPayment } from "~/modules/payments/payment.server";
import type { ReadServices } from "~/services";
import { getLine } from "./file-lines.server";
import { readLineNumber } from "./payment-file.server";

/**
 * The account of a payment or of a file's line as the form that adds a payee shows it, for `?payment=` or `?file=&line=`:
 * the numbers themselves never stand in an address. Undefined when nothing of the kind was asked for.
 * @throws AppError 404 for a payment or a line that is not the organisation's
 */
export async function findAccountToAdd(services: ReadServices, actor: Actor, params: URLSearchParams) {
  const asked = await findAsked(services, actor, params);
  if (!asked) return undefined;
  const { accountName, bsb, accountNumber } = asked;
  return { name: accountName, accountName, bsb: formatBsb(bsb), accountNumber };
}

function findAsked(services: ReadServices, actor: Actor, params: URLSearchParams): Promise<BankDetails> | undefined {
  const paymentId = params.get("payment");
  if (paymentId !== null && isId(paymentId)) return getPayment(services, actor, paymentId);
  const fileId = params.get("file");
  const line = readLineNumber(params.get("line") ?? undefined);
  if (fileId === null || !isId(fileId) || line === undefined) return undefined;
  return getLine(services, actor, { fileId, line });
}
