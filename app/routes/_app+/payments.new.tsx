import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { MoneyInput, Textarea, TextInput } from "~/components/forms/fields";
import {
  type FormAnswer,
  FormErrorSummary,
  type FormLimits,
  HiddenFields,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { SubscriptionEnded, SubscriptionFirst } from "~/components/forms/refused-act";
import { AccountFields } from "~/components/payees/account-fields";
import { PayeeStatusBadge } from "~/components/payees/payee-status-badge";
import { SearchBox } from "~/components/tables/list-card";
import { Button, Icon, linkClass } from "~/components/ui/elements";
import { EmptyState } from "~/components/ui/empty-state";
import { Bsb, Card, Masked, named, PageHeader } from "~/components/ui/page-parts";
import { Tabs } from "~/components/ui/tabs";
import { type Flash, formAction, page, pageWriter, parseForm } from "~/http/page.server";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { submissionSchema } from "~/modules/core/commands/run-command.server";
import { accountPaymentFormSchema, payeePaymentFormSchema } from "~/modules/payments/payment-fields.server";
import { PAY_ACCOUNT_PATH, payPath } from "~/modules/payments/payment-list";
import {
  describeRecording,
  type PayeeChoice,
  type RecordedPayment,
  readNewPaymentPage,
  recordPayment,
} from "~/modules/payments/record-payment.server";
import { askBeforePayment } from "~/modules/verifying/bank-checks/ask-accounts.server";

interface PaymentFormProps {
  /** Ensures that a form which is sent twice records once. */
  submissionId: string;
  constraints: FormLimits;
  answer?: FormAnswer;
  /** The chosen payee; without one the account is typed. */
  payee?: PayeeChoice;
  /** Initial values from an invoice. */
  values?: Readonly<Record<string, string>>;
}

/** The fields in display order, so that the error summary lists them from the top. */
const IN_ORDER = ["accountName", "bsb", "accountNumber", "amount", "reference", "description"];

function PaymentForm({ submissionId, constraints, answer, payee, values }: PaymentFormProps) {
  const errors = Object.fromEntries(IN_ORDER.map((field) => [field, answer?.errors[field]]));
  return (
    <>
      {answer?.code === "SUBSCRIPTION_REQUIRED" ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary errors={errors} formErrors={answer?.formErrors} />
      )}
      <Card>
        <PostForm answer={answer} values={values} limits={constraints} summary={false} className="grid gap-8">
          <HiddenFields values={{ submissionId, payeeId: payee?.id }} />
          {payee ? (
            <ChosenPayee payee={payee} />
          ) : (
            <AccountFields
              legend="Account"
              nameHint="As the invoice gives it. If the account is a payee's, the names are compared."
            />
          )}
          <fieldset className="grid gap-5 sm:grid-cols-2">
            <legend className="mb-4 font-semibold text-md">Payment</legend>
            <MoneyInput name="amount" label="Amount" hint="In dollars, such as 1,250.00" />
            <TextInput name="reference" label="Reference" hint="Such as the invoice number" autoComplete="off" />
            <Textarea name="description" label="Description" rows={2} className="sm:col-span-2" />
          </fieldset>
          <div className="flex flex-wrap gap-3">
            <SubmitButton pendingText="Checking...">Check and record</SubmitButton>
            <Button to={appPaths.payments} variant="quiet">
              Cancel
            </Button>
          </div>
        </PostForm>
      </Card>
    </>
  );
}

type NewPaymentPageProps = { submissionId: string; answer?: FormAnswer } & (
  | { step: "choose"; q: string; choices: PayeeChoice[]; hasMore: boolean }
  | { step: "payee"; payee: PayeeChoice; values: Readonly<Record<string, string>>; constraints: FormLimits }
  | { step: "account"; constraints: FormLimits }
);

/** Records a payment: first the recipient, then the amount and reference. Every step has an address. */
function NewPaymentPage(props: NewPaymentPageProps) {
  const { step, submissionId, answer } = props;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Record a payment"
        description="Record it before you make it. It is authorised at once, or held with the reasons."
        breadcrumb={[{ label: "Payments", to: appPaths.payments }]}
      />
      <SubscriptionFirst answer={answer} />
      {step !== "payee" && (
        <div className="mb-6">
          <Tabs
            label="Who to pay"
            items={[
              { label: "One of your payees", to: appPaths.newPayment, current: step === "choose" },
              { label: "Another account", to: PAY_ACCOUNT_PATH, current: step === "account" },
            ]}
          />
        </div>
      )}
      {step === "choose" && <PayeeChoices q={props.q} choices={props.choices} hasMore={props.hasMore} />}
      {step !== "choose" && (
        <PaymentForm
          submissionId={submissionId}
          constraints={props.constraints}
          answer={answer}
          payee={step === "payee" ? props.payee : undefined}
          values={step === "payee" ? props.values : undefined}
        />
      )}
      {step === "account" && (
        <Card className="mt-6">
          <p className="text-base text-ink-soft">
            An account that is not one of your payees is held until a person decides. To have it checked first,{" "}
            <Link to={appPaths.newPayee} className={linkClass}>
              add it as a payee
            </Link>
            .
          </p>
        </Card>
      )}
    </div>
  );
}

export const { meta, ErrorBoundary } = named("Record a payment", "Error Loading the Form");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readNewPaymentPage(scope.services, await pageWriter(scope), scope.url.searchParams),
);

export const action = /* @__PURE__ */ page(async (scope) =>
  formAction(
    scope,
    async (form) => {
      // Inside formAction, so that what was typed is kept even if the database is too busy to authenticate the person.
      const actor = await pageWriter(scope);
      const asked = readPayment(form);
      await askBeforePayment(scope.services, actor, asked.payment);
      const recorded = await recordPayment(scope.services, actor, asked);
      return { to: appPaths.payment(recorded.payment.id), flash: flashOf(recorded) };
    },
    { describe: describeRecording },
  ),
);

function readPayment(form: FormData) {
  const payment = parseForm(form, form.has("payeeId") ? payeePaymentFormSchema : accountPaymentFormSchema);
  const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
  return { payment, idempotencyKey };
}

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

/** The payees to choose from, found by the beginning of a name, BSB or account number. */
function PayeeChoices({ q, choices, hasMore }: { q: string; choices: readonly PayeeChoice[]; hasMore: boolean }) {
  return (
    <Card flush>
      <div className="border-line border-b px-5 py-4">
        <SearchBox
          label="Search payee, account name, BSB or account number"
          defaultValue={q || undefined}
          action={appPaths.newPayment}
          clearHref={appPaths.newPayment}
        />
      </div>
      {choices.length === 0 ? (
        <NoChoice q={q} />
      ) : (
        <ul className="divide-y divide-line" aria-label={q ? "Payees found" : "Newest payees"}>
          {choices.map((payee) => (
            <Choice key={payee.id} payee={payee} />
          ))}
        </ul>
      )}
      {hasMore && (
        <p className="border-line border-t px-5 py-3.5 text-ink-soft text-sm">
          {q ? "There are more: type more of the name." : "These are the newest. Search for the others."}
        </p>
      )}
    </Card>
  );
}

function NoChoice({ q }: { q: string }) {
  const add = (
    <Button to={appPaths.newPayee} icon="plus" variant="secondary">
      Verify a payee
    </Button>
  );
  return q ? (
    <EmptyState icon="search" title="No payee found" action={add}>
      Nothing matches “{q}”. Search by the beginning of a name, a BSB or an account number.
    </EmptyState>
  ) : (
    <EmptyState icon="users" title="No payees yet" action={add}>
      Add a payee first, or record a payment to another account.
    </EmptyState>
  );
}

function Choice({ payee }: { payee: PayeeChoice }) {
  return (
    <li className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3.5 has-[a:hover]:bg-sunken/70">
      <div className="min-w-0">
        <Link
          to={payPath(payee.id)}
          className="font-medium text-base after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
        >
          {payee.name}
        </Link>
        <AccountLine payee={payee} />
        {payee.grade && <p className="text-ink-soft text-sm">{payee.grade}</p>}
      </div>
      <div className="flex items-center justify-between gap-3 max-sm:w-full">
        <PayeeStatusBadge status={payee.status} headline={payee.headline} />
        <Icon name="chevronRight" className="size-4 text-ink-soft" />
      </div>
    </li>
  );
}

function AccountLine({ payee }: { payee: PayeeChoice }) {
  return (
    <p className="text-ink-soft text-sm">
      {payee.accountName} · <Bsb value={payee.bsb} /> <Masked value={payee.maskedAccountNumber} />
    </p>
  );
}

/** The chosen payee, with a link back to the choice. */
function ChosenPayee({ payee }: { payee: PayeeChoice }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 rounded-base bg-sunken p-4 border border-line">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium text-md">
          {payee.name}
          <PayeeStatusBadge status={payee.status} headline={payee.headline} />
        </p>
        {payee.grade && <p className="text-ink-soft text-sm">{payee.grade}</p>}
        <AccountLine payee={payee} />
      </div>
      <Button to={appPaths.newPayment} variant="secondary" size="sm">
        Choose another
      </Button>
    </div>
  );
}
