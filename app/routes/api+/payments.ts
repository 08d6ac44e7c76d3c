import { api, json } from "~/http/api.server";
import { check, readHeader, readJson } from "~/http/body.server";
import { apiMember, apiWriter } from "~/http/guards.server";
import { readAheadOfPost } from "~/http/read-ahead.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { toListedPaymentJson, toPaymentJson } from "~/modules/payments/payment.json";
import { accountPaymentSchema, anyPaymentSchema, payeePaymentSchema } from "~/modules/payments/payment.server";
import { listPayments } from "~/modules/payments/payment-list.server";
import { conditionsOf } from "~/modules/payments/payment-search";
import { readPaymentsQuery } from "~/modules/payments/payment-search.server";
import { readForPayment, recordPayment } from "~/modules/payments/record-payment.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { search, after } = readPaymentsQuery(new URL(args.request.url).searchParams);
    const page = await listPayments(args.services, actor, { conditions: conditionsOf(search, actor.timeZone), after });
    return { payments: page.payments.map(toListedPaymentJson), nextCursor: page.next ?? null };
  },
  POST: async (args) => {
    const { services } = args;
    const { posted, read } = await readAheadOfPost(args, readPayment(args.request), (reader, asked) =>
      readForPayment(services, reader, asked),
    );
    const actor = await apiWriter(args);
    const asked = posted();
    const { payment, decision, reasons, isRepeated } = await recordPayment(services, actor, asked, read(actor));
    if (isRepeated && asked.showsAccount) {
      await recordReveal(services, actor, { entityType: "payment", entityId: payment.id });
    }
    return json({ payment: toPaymentJson(payment), decision, reasons }, { status: 201 });
  },
});

async function readPayment(request: Request) {
  const body = await readJson(request, anyPaymentSchema);
  const isToPayee = body.payeeId !== undefined && body.payeeId !== null;
  const payment = check(isToPayee ? payeePaymentSchema : accountPaymentSchema, body);
  const idempotencyKey = readHeader(request, "Idempotency-Key", idempotencyKeySchema);
  // The answer shows the account of a payee that was named by its id; an account that was typed is known already.
  return { payment, idempotencyKey, showsAccount: isToPayee };
}
