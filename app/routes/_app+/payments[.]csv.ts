import { page, pageMember, withStepUp } from "~/http/page.server";
import { downloadAnswer } from "~/http/responses.server";
import { recordExport } from "~/modules/core/record-reveal.server";
import { conditionsOf } from "~/modules/payments/payment-list";
import { listAllPayments, readPaymentsQuery, writePaymentsCsv } from "~/modules/payments/payment-list.server";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  await recordExport(scope.services, actor, "payments");
  const { timeZone } = actor;
  const { search } = readPaymentsQuery(scope.url.searchParams);
  const payments = await listAllPayments(scope.services, actor, conditionsOf(search, timeZone));
  const bytes = new TextEncoder().encode(writePaymentsCsv(payments, timeZone));
  return downloadAnswer({ name: "payments.csv", bytes });
});
