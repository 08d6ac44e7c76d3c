import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { NewPaymentPage } from "~/components/payments/new-payment-page";
import type { Flash } from "~/http/flash.server";
import { formAction, parseForm, readFormEarly } from "~/http/form-action.server";
import { pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { readAheadOfPost } from "~/http/read-ahead.server";
import type { FormAnswer } from "~/kernel/form-answer";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { submissionSchema } from "~/modules/core/commands/idempotency-key.server";
import { getPaymentStep } from "~/modules/payments/new-payment.server";
import { accountPaymentFormSchema, payeePaymentFormSchema } from "~/modules/payments/payment.server";
import { describeRecording } from "~/modules/payments/payment-form.server";
import { type RecordedPayment, readForPayment, recordPayment } from "~/modules/payments/record-payment.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Record a payment")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services, url } = scope;
  return { ...(await getPaymentStep(services, actor, url.searchParams)), submissionId: services.ids.next() };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services } = scope;
  const { posted, read } = await readAheadOfPost(scope, readFormEarly(scope).then(readPayment), (reader, asked) =>
    readForPayment(services, reader, asked),
  );
  return formAction(
    scope,
    async () => {
      // Here, so that a database that is too busy to say who asks loses nothing that was typed.
      const actor = await pageWriter(scope);
      const recorded = await recordPayment(services, actor, posted(), read(actor));
      return { to: appPaths.payment(recorded.payment.id), flash: flashOf(recorded) };
    },
    { describe: describeRecording },
  );
});

function readPayment(form: FormData) {
  const payment = parseForm(form, form.has("payeeId") ? payeePaymentFormSchema : accountPaymentFormSchema);
  const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
  return { payment, idempotencyKey };
}

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

function flashOf({ payment, decision }: RecordedPayment): Flash {
  const what = `${formatAud(payment.amount)} to ${payment.payee?.name ?? payment.accountName}`;
  return decision === "authorised"
    ? { tone: "success", title: "Payment authorised", description: `${what} may be paid.` }
    : { tone: "info", title: "Payment held", description: `${what} needs a decision first.` };
}

export default function NewPayment() {
  return <NewPaymentPage {...useLoaderData<typeof loader>()} answer={useActionData<FormAnswer>()} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading the Form" />;
}
