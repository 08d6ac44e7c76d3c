import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { maskAccountNumber } from "~/kernel/account-number";
import { listLines } from "~/modules/payments/payment-files/file-lines.server";
import { toLineJson } from "~/modules/payments/payment-files/payment-file.json";
import { getPaymentFile, readLineFilter, readLineLimit } from "~/modules/payments/payment-files/payment-file.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { id: fileId } = await getPaymentFile(args.services, actor, idParam(args.params));
    const { searchParams } = new URL(args.request.url);
    const [filter, limit] = [readLineFilter(searchParams), readLineLimit(searchParams)];
    const page = await listLines(args.services, actor, { fileId, filter, limit });
    const masked = page.lines.map((line) => ({ ...line, accountNumber: maskAccountNumber(line.accountNumber) }));
    return { lines: masked.map(toLineJson), nextCursor: page.next === undefined ? null : String(page.next) };
  },
});
