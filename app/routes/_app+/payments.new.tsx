import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { NewPaymentPage } from "~/components/payments/new-payment-page";
import { readForm } from "~/http/body.server";
import { errorHeaders, toAppError } from "~/http/errors.server";
import { type Flash, setFlash } from "~/http/flash.server";
import { pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { isId } from "~/kernel/ids";
import { formatAud } from "~/kernel/money";
import { findStep } from "~/modules/payments/new-payment.queries.server";
import type { PaymentFormAnswer } from "~/modules/payments/new-payment.view";
import { parsePaymentForm, refusedPayment } from "~/modules/payments/payment-form.server";
import { paymentPath } from "~/modules/payments/payments.view";
import { type RecordedPayment, recordPayment } from "~/modules/payments/record-payment.commands.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Record a payment")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services, url } = scope;
  return { ...(await findStep(services, actor, url.searchParams)), submissionId: services.ids.next() };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const form = await readForm(scope.request);
  const parsed = parsePaymentForm(form);
  if ("answer" in parsed) return data(parsed.answer, { status: 400 });
  const submissionId = form.get("submissionId");
  const idempotencyKey = typeof submissionId === "string" && isId(submissionId) ? submissionId : undefined;
  try {
    const recorded = await recordPayment(services, actor, { payment: parsed.payment, idempotencyKey });
    const headers = { "Set-Cookie": await setFlash(services, flashOf(recorded)) };
    return redirect(paymentPath(recorded.payment.id), { status: 303, headers });
  } catch (error) {
    const refused = toAppError(error, services.log);
    if (refused.status === 404) throw refused;
    return data(refusedPayment(form, refused), { status: refused.status, headers: errorHeaders(refused) });
  }
});

function flashOf({ payment, decision }: RecordedPayment): Flash {
  const what = `${formatAud(payment.amount)} to ${payment.payee?.name ?? payment.accountName}`;
  return decision === "authorised"
    ? { tone: "success", title: "Payment authorised", description: `${what} may be paid.` }
    : { tone: "info", title: "Payment held", description: `${what} needs somebody's decision first.` };
}

export default function NewPayment() {
  return <NewPaymentPage {...useLoaderData<typeof loader>()} answer={useActionData<PaymentFormAnswer>()} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading the Form" />;
}
