import { useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { Select, TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, FormErrorSummary, keepWhatWasTyped, SubmitButton } from "~/components/forms/form";
import { SubscriptionEnded, SubscriptionFirst } from "~/components/forms/refused-act";
import { ListCard } from "~/components/tables/list-card";
import { CellNote, RowLink } from "~/components/tables/table";
import { Card, named, PageHeader, Time } from "~/components/ui/page-parts";
import { formAction, page, pageMember, pageWriter } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { readChoice } from "~/modules/verifying/bulk-checks/bulk-check.server";
import { readBulkChecksPage } from "~/modules/verifying/bulk-checks/bulk-check-page.server";
import { countPayeesToCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";

type BulkChecksPage = Awaited<ReturnType<typeof readBulkChecksPage>>;

export const { meta, ErrorBoundary } = named("Check payees in bulk", "Error Loading Bulk Checks");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readBulkChecksPage(scope.services, actor, scope.url.searchParams);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const count = async (form: FormData) => {
    const { bulkCheckId } = await countPayeesToCheck(scope.services, actor, readChoice(form));
    return { to: appPaths.bulkCheck(bulkCheckId) };
  };
  return formAction(scope, count, { title: "The payees were not counted" });
});

export const clientAction = keepWhatWasTyped;

export default function BulkChecks() {
  const { rows, missing, canChange, options, values, hasBanks } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <>
      <PageHeader
        title="Check payees in bulk"
        description="Many payees confirm their details and show at their own bank that the account is theirs, or their banks are asked at once. Answers appear under Payee Verification."
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
      />
      <ConfirmFirst missing={missing} then="You can count the payees now." />
      {canChange && <SubscriptionFirst answer={answer} />}
      {canChange && (
        <ChoiceCard options={options} hasBanks={hasBanks} values={{ ...values, ...answer?.values }} answer={answer} />
      )}
      <ListCard
        label="Bulk checks"
        rows={rows}
        dense
        fixed
        columns={[
          {
            head: "Payees",
            width: "wide:w-[40%]",
            cell: (row) => (
              <>
                <RowLink to={appPaths.bulkCheck(row.id)}>{row.choice}</RowLink>
                <CellNote>{row.askedBy}</CellNote>
              </>
            ),
          },
          { head: "Counted", align: "right", cell: (row) => formatCount(row.payeeCount) },
          { head: "Asked", align: "right", cell: (row) => formatCount(row.askedCount) },
          { head: "Status", cell: (row) => row.statusWord },
          { head: "When", cell: (row) => <Time {...row.at} stacked /> },
        ]}
        empty={{
          icon: "list",
          title: "No bulk checks yet",
          children: "Choose which payees to check, and count them.",
        }}
      />
    </>
  );
}

interface ChoiceCardProps extends Pick<BulkChecksPage, "options" | "hasBanks"> {
  values: Record<keyof BulkChecksPage["values"], string>;
  answer?: FormAnswer;
}

/** The choice of payees to check. Counting them asks nobody. */
function ChoiceCard({ options, hasBanks, values, answer }: ChoiceCardProps) {
  return (
    <>
      {answer?.code === "SUBSCRIPTION_REQUIRED" ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
      )}
      <Card
        title="Which payees"
        description="The payees are counted first. Before anyone is asked, you see how many there are, what the checks cost and how long they take."
        className="mb-6"
      >
        <Form method="post" className="grid gap-5 sm:grid-cols-2">
          <Select name="verified" label="Verified" options={options.verified} defaultValue={values.verified} required />
          <Select name="paid" label="Paid" options={options.paid} defaultValue={values.paid} required />
          <Select name="status" label="Status" options={options.status} defaultValue={values.status} required />
          <TextInput
            name="q"
            label="Found by"
            hint="Any part of a name, a BSB or an account number"
            defaultValue={values.q}
            autoComplete="off"
          />
          <div className="flex flex-wrap gap-3 sm:col-span-2">
            <SubmitButton icon="list" pendingText="Counting...">
              Count, to ask the payees
            </SubmitButton>
            {hasBanks && (
              <SubmitButton name="ask" value="bank" variant="secondary" icon="bank" pendingText="Counting...">
                Count, to ask their banks
              </SubmitButton>
            )}
          </div>
        </Form>
      </Card>
    </>
  );
}
