import { useActionData, useLoaderData } from "@remix-run/react";
import { FileInput, Textarea, TextInput } from "~/components/forms/fields";
import {
  answerTo,
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  loadAgainWhenRefused,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { Button } from "~/components/ui/elements";
import { EmptyState } from "~/components/ui/empty-state";
import { Card, named, PageHeader } from "~/components/ui/page-parts";
import { findFile, readFormFile } from "~/http/body.server";
import { type Flash, formAction, idParam, page, pageWriter, parseForm } from "~/http/page.server";
import { invalidInput } from "~/kernel/app-error";
import { nameLines } from "~/kernel/file-problem";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { submissionSchema } from "~/modules/core/commands/run-command.server";
import { MAX_FILE_BYTES } from "~/modules/payments/payment-files/payment-file";
import {
  type Outcomes,
  parseOutcomes,
  parseReturns,
  readOutcomesPage,
  recordFileOutcomes,
} from "~/modules/payments/payment-files/record-outcomes.server";

export const { meta, ErrorBoundary } = named("What did the bank do? · Payment file", "Error Loading Outcomes");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readOutcomesPage(scope.services, await pageWriter(scope), idParam(scope.params)),
);

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const fileId = idParam(scope.params);
  const record = async (form: FormData) => {
    const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
    const asked = form.get("intent") === "returns" ? await readReturnForm(form) : parseOutcomes(form);
    const recorded = await recordFileOutcomes(scope.services, actor, { fileId, ...asked, idempotencyKey });
    return { to: appPaths.paymentFile(fileId), flash: flashOf(recorded) };
  };
  return formAction(scope, record, { fileBytes: MAX_FILE_BYTES, title: "Nothing was recorded" });
});

export const clientAction = keepWhatWasTyped;

export const shouldRevalidate = loadAgainWhenRefused;

async function readReturnForm(form: FormData) {
  const file = findFile(form);
  if (!file) throw invalidInput({ file: ["Choose the bank's return file"] });
  return parseReturns((await readFormFile(file)).bytes);
}

function flashOf({ settled, failed, left, unmatched }: Outcomes): Flash {
  const parts = [
    `${formatCount(settled)} successful, ${formatCount(failed)} failed.`,
    left.length > 0 ? `Held again and without an outcome: ${nameLines(left)}.` : "",
    unmatched.length > 0 ? `No payment of this file matches ${nameLines(unmatched)} of the return file.` : "",
  ];
  const isWell = failed + left.length + unmatched.length === 0;
  return {
    tone: isWell ? "success" : "info",
    title: "Outcomes recorded",
    description: parts.filter(Boolean).join(" "),
  };
}

export default function FileOutcomes() {
  const { id, name, waiting, submissionId } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="What did the bank do?"
        breadcrumb={[
          { label: "Payment files", to: appPaths.paymentFiles },
          { label: name, to: appPaths.paymentFile(id) },
        ]}
      />
      {answer && <FormErrorSummary title={answer.title} errors={answer.errors} formErrors={answer.formErrors} />}
      {waiting > 0 ? (
        <>
          <AllButThese waiting={waiting} submissionId={submissionId} answer={answer} />
          <ReturnFile submissionId={submissionId} answer={answer} />
        </>
      ) : (
        <Card flush>
          <EmptyState
            icon="checkCircle"
            title="No payment is waiting for an outcome"
            action={
              <Button to={appPaths.paymentFile(id)} variant="secondary">
                Back to the file
              </Button>
            }
          >
            Every cleared payment of this file has an outcome, or none has been cleared yet.
          </EmptyState>
        </Card>
      )}
    </div>
  );
}

interface OutcomeFormProps {
  /** How many payments have no outcome. */
  waiting: number;
  submissionId: string;
  answer?: FormAnswer;
}

/** The form for one outcome for all payments with exceptions. */
function AllButThese({ waiting, submissionId, answer }: OutcomeFormProps) {
  return (
    <Card
      title="The bank paid all of them, except these"
      description={`${waiting === 1 ? "One payment of this file has" : `${formatCount(waiting)} payments of this file have`} no outcome yet.`}
      className="mb-6"
    >
      <PostForm intent="all" answer={answer} summary={false} className="grid gap-5">
        <HiddenFields values={{ submissionId }} />
        <TextInput
          name="except"
          label="Lines that failed"
          hint="Such as 3, 17-19, counted as in the file that you uploaded. Leave empty if all were paid"
          showOptional={false}
        />
        <Textarea name="reason" label="Why they failed" hint="Needed when some failed" rows={2} showOptional={false} />
        <TextInput name="processedOn" type="date" label="Paid on" hint="Leave empty for today" showOptional={false} />
        <div>
          <SubmitButton icon="check" pendingText="Saving...">
            Record the outcomes
          </SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

function ReturnFile({ submissionId, answer: all }: Omit<OutcomeFormProps, "waiting">) {
  const answer = answerTo(all, "returns");
  return (
    <Card
      title="The bank sent a file of returned payments"
      description="Payments are matched by account, amount and reference, and marked failed with the bank's reason. The others keep waiting for their outcome."
    >
      <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
        <HiddenFields values={{ submissionId: `${submissionId}` }} />
        <FileInput name="file" label="Return file" error={answer?.errors.file} required />
        <div>
          <SubmitButton name="intent" value="returns" icon="upload" pendingText="Reading...">
            Read the return file
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
