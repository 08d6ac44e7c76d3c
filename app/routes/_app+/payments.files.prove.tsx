import { type ClientActionFunctionArgs, useActionData } from "@remix-run/react";
import { FileInput, TextInput } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  keepFormWhenOffline,
  OFFLINE,
  SubmitButton,
} from "~/components/forms/form";
import { Button, Callout } from "~/components/ui/elements";
import { Card, named, PageHeader } from "~/components/ui/page-parts";
import { findFile, readFormFile } from "~/http/body.server";
import { formAction, page, pageMember } from "~/http/page.server";
import { json } from "~/http/responses.server";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { MAX_FILE_BYTES } from "~/modules/payments/payment-files/payment-file";
import { type ProofPage, readProofPage } from "~/modules/payments/payment-files/prove-file.server";

export const { meta, ErrorBoundary } = named("Is this the file that was cleared?", "Error Loading This Page");

export const loader = /* @__PURE__ */ page(async (scope) => {
  await pageMember(scope);
  return null;
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const prove = async (form: FormData) => {
    const chosen = findFile(form);
    const shown = chosen ? (await readFormFile(chosen)).bytes : form.get("sha256");
    return json({ proof: await readProofPage(scope.services, actor, shown) });
  };
  return formAction(scope, prove, { fileBytes: MAX_FILE_BYTES });
});

/** Nothing is saved here, so it does not matter whether a lost request arrived. */
export const clientAction = (args: ClientActionFunctionArgs) =>
  keepFormWhenOffline(args, { title: "Nothing was compared", sentence: OFFLINE });

export default function ProveFile() {
  const answer = useActionData<FormAnswer | { proof: ProofPage }>();
  const refused = answer && "errors" in answer ? answer : undefined;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Is this the file that was cleared?"
        description="Upload the file that your bank has, or enter its SHA-256. We do not keep the file."
        breadcrumb={[
          { label: "Payments", to: appPaths.payments },
          { label: "Payment files", to: appPaths.paymentFiles },
        ]}
      />
      {refused && <FormErrorSummary title={refused.title} errors={refused.errors} formErrors={refused.formErrors} />}
      {answer && "proof" in answer && <ProofCard proof={answer.proof} />}
      <Card>
        <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
          <FileInput
            name="file"
            label="The file"
            hint="Compared byte by byte, and line by line where it differs"
            showOptional={false}
          />
          <TextInput
            name="sha256"
            label="Or its SHA-256"
            hint="64 characters, as the certificate shows it"
            autoComplete="off"
            spellCheck={false}
            defaultValue={refused?.values.sha256}
            error={refused?.errors.sha256}
            showOptional={false}
          />
          <div>
            <SubmitButton icon="shieldCheck" pendingText="Comparing...">
              Compare
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </div>
  );
}

/** What is known about a submitted file: that it was cleared, or how it differs. */
function ProofCard({ proof }: { proof: ProofPage }) {
  if (proof.cleared) {
    const { clearing } = proof;
    return (
      <Callout
        tone="success"
        role="status"
        title="Yes, this is a file that was cleared"
        className="mb-6"
        actions={
          <Button to={proof.href} variant="secondary">
            Open the payment file
          </Button>
        }
      >
        <p>
          {formatCount(clearing.lineCount, "payment")}, {formatAud(clearing.totalCents)}, from “{clearing.fileName}
          ”, cleared by {clearing.clearedBy ?? "PayeeProof"} on {clearing.clearedAt.exact}.
        </p>
        <p className="mt-1 break-all font-mono text-sm">SHA-256 {clearing.sha256}</p>
      </Callout>
    );
  }
  return (
    <Callout tone="danger" role="status" title="No, your organisation has not cleared this file" className="mb-6">
      <p className="break-all font-mono text-sm">SHA-256 {proof.sha256}</p>
      {proof.nearest && (
        <p className="mt-2">
          Compared with the cleared file from “{proof.nearest.fileName}” of {proof.nearest.clearedAt.exact}:
        </p>
      )}
      {proof.differences.length > 0 && (
        <ul className="mt-2 grid gap-1">
          {proof.differences.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </Callout>
  );
}
