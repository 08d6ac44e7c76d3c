import { useActionData, useLoaderData } from "@remix-run/react";
import { FileInput, Select, Textarea } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  SubmitButton,
} from "~/components/forms/form";
import { SubscriptionEnded, SubscriptionFirst } from "~/components/forms/refused-act";
import { ListCard } from "~/components/tables/list-card";
import { CellNote, type Column, RowLink } from "~/components/tables/table";
import { Button } from "~/components/ui/elements";
import { Amount, Card, named, PageHeader, Time } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { findFile, readFormFile } from "~/http/body.server";
import { type Flash, formAction, page, pageMember, pageWriter, parseForm } from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { submissionSchema } from "~/modules/core/commands/run-command.server";
import { ACCOUNT_FIELDS, CSV_FIELD_LABELS, CSV_FIELDS, NO_COLUMN } from "~/modules/payments/payment-files/csv/columns";
import { readPaymentFilesPage } from "~/modules/payments/payment-files/file-page.server";
import { type FileRow, MAX_FILE_BYTES } from "~/modules/payments/payment-files/payment-file";
import {
  parseUpload,
  returnTableToForm,
  type Uploaded,
  uploadFile,
} from "~/modules/payments/payment-files/upload-file.server";

/** The headings of a table whose columns somebody has to choose; after a refused choice, as the form has them. */
function headingsOf(answer: FormAnswer | undefined): { headings: string[]; signature: string } | undefined {
  if (!answer) return undefined;
  const { headings, signature } = answer.code === "MAPPING_REQUIRED" ? (answer.extra ?? {}) : heldTable(answer);
  return Array.isArray(headings) && typeof signature === "string"
    ? { headings: headings.map(String), signature }
    : undefined;
}

function heldTable({ values }: FormAnswer): Record<string, unknown> {
  try {
    return { headings: JSON.parse(values.headings ?? ""), signature: values.signature };
  } catch {
    return {};
  }
}

/** Uploads the file that is about to go to the bank. */
function UploadForm({ submissionId, answer }: { submissionId: string; answer?: FormAnswer }) {
  const needed = headingsOf(answer);
  const errors = answer?.errors ?? {};
  return (
    <>
      {answer?.code === "SUBSCRIPTION_REQUIRED" ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary
          title={answer?.title}
          errors={{ ...errors, file: undefined }}
          formErrors={[...(errors.file ?? []), ...(answer?.formErrors ?? [])]}
        />
      )}
      <Card
        title="Check a file before it goes to the bank"
        description="Upload the ABA or CSV file that your accounting system made, or paste the payments. Every line is checked; nothing is sent to your bank."
        className="mb-6"
      >
        <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
          <HiddenFields
            values={{ submissionId, signature: needed?.signature, headings: needed && JSON.stringify(needed.headings) }}
          />
          <FileInput
            name="file"
            label="Payment file"
            hint="ABA (direct entry), CSV, or a list of bills exported from Xero or MYOB; up to 20,000 payments"
            showOptional={false}
          />
          <Textarea
            name="pasted"
            label="Or paste the payments"
            hint="One payment per line: account name, BSB, account number, amount, reference"
            rows={3}
            defaultValue={answer?.values.pasted}
            spellCheck={false}
            showOptional={false}
          />
          {needed && <Columns headings={needed.headings} answer={answer} />}
          <div>
            <SubmitButton icon="upload" pendingText="Checking...">
              Upload and check
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </>
  );
}

const NONE = { value: NO_COLUMN, label: "Not in this table: pay the payee’s own account" };

function Columns({ headings, answer }: { headings: readonly string[]; answer?: FormAnswer }) {
  const options = headings.map((heading, at) => ({ value: String(at), label: heading || `Column ${at + 1}` }));
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-3 font-semibold text-md">Which column is which?</legend>
      <p className="text-base text-ink-soft sm:col-span-2">
        Your choice is remembered for every table with these headings. If you uploaded a file, choose it again, unless
        its content is shown above.
      </p>
      {CSV_FIELDS.map((field) => (
        <Select
          key={field}
          name={`column.${field}`}
          label={CSV_FIELD_LABELS[field]}
          options={ACCOUNT_FIELDS.includes(field) ? [...options, NONE] : options}
          placeholder="Choose a column"
          defaultValue={answer?.values[`column.${field}`]}
          error={answer?.errors[`column.${field}`]}
          required
        />
      ))}
    </fieldset>
  );
}

export const { meta, ErrorBoundary } = named("Payment files", "Error Loading Payment Files");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readPaymentFilesPage(scope.services, await pageMember(scope), scope.url.searchParams),
);

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const upload = async (form: FormData) => {
    const chosen = findFile(form);
    const input = parseUpload(form, chosen && (await readFormFile(chosen)));
    const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
    try {
      const uploaded = await uploadFile(scope.services, actor, { ...input, idempotencyKey });
      return { to: appPaths.paymentFile(uploaded.fileId), flash: flashOf(uploaded, input.name) };
    } catch (error) {
      if (error instanceof AppError && error.code === "MAPPING_REQUIRED") returnTableToForm(form, input.bytes);
      throw error;
    }
  };
  return formAction(scope, upload, { fileBytes: MAX_FILE_BYTES, title: "The file cannot be checked" });
});

export const clientAction = keepWhatWasTyped;

function flashOf({ isNew, nameBefore }: Uploaded, name: string): Flash {
  if (isNew) return { tone: "info", title: "File uploaded" };
  const description = nameBefore === name ? undefined : `It was called “${nameBefore}” then.`;
  return { tone: "info", title: "This file was uploaded before", description };
}

export default function PaymentFiles() {
  const { rows, canUpload, nextHref, submissionId } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <>
      <PageHeader
        title="Payment files"
        description="The last check before the money leaves: every line of a pay run is compared with your records."
        breadcrumb={[{ label: "Payments", to: appPaths.payments }]}
        actions={
          <>
            <Button to={appPaths.proveFile} variant="secondary" icon="shieldCheck">
              Is this the cleared file?
            </Button>
            {canUpload && (
              <Button to={appPaths.fileSettings} variant="secondary" icon="settings">
                Settings
              </Button>
            )}
          </>
        }
      />
      {canUpload && <SubscriptionFirst answer={answer} />}
      {canUpload && <UploadForm submissionId={submissionId} answer={answer} />}
      <ListCard
        label="Payment files"
        rows={rows}
        fixed
        brief
        columns={COLUMNS}
        empty={{
          icon: "file",
          title: "No payment files yet",
          children: "Upload the file that your accounting system made, before you give it to the bank.",
        }}
        pager={{ nextHref }}
      />
    </>
  );
}

const COLUMNS: Column<FileRow>[] = [
  {
    head: "File",
    width: "wide:w-[27%]",
    cell: ({ id, name, uploadedBy }) => (
      <>
        <RowLink to={appPaths.paymentFile(id)}>
          <span className="break-words">{name}</span>
        </RowLink>
        {uploadedBy && <CellNote>{uploadedBy}</CellNote>}
      </>
    ),
  },
  {
    head: "Payments",
    align: "right",
    classOf: () => "cell-left-out",
    cell: ({ lineCount }) => formatCount(lineCount),
  },
  { head: "Total", align: "right", cell: ({ totalCents }) => <Amount cents={totalCents} /> },
  {
    head: "Held",
    align: "right",
    classOf: () => "cell-left-out",
    cell: ({ heldCount }) => formatCount(heldCount),
  },
  { head: "Status", classOf: () => "cell-last", cell: ({ status }) => <StatusBadge of="file" status={status} /> },
  {
    head: "Uploaded",
    width: "wide:w-[20%]",
    classOf: () => "cell-last",
    cell: ({ uploadedAt }) => <Time {...uploadedAt} stacked />,
  },
];
