import { useActionData, useLoaderData } from "@remix-run/react";
import { FileInput } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  SubmitButton,
} from "~/components/forms/form";
import { SubscriptionFirst } from "~/components/forms/refused-act";
import { HiddenRowsChoice } from "~/components/payees/hidden-rows-choice";
import { ListCard } from "~/components/tables/list-card";
import { CellNote, type Column, RowLink } from "~/components/tables/table";
import { Card, named, PageHeader, Time } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { findFile, readFormFile } from "~/http/body.server";
import { formAction, page, pageMember, pageWriter } from "~/http/page.server";
import { invalidInput } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { type ImportView, KIND_LABELS, MAX_FILE_BYTES } from "~/modules/payees/imports/import";
import { readImportsPage } from "~/modules/payees/imports/import-page.server";
import { readHiddenRows } from "~/modules/payees/imports/read-table-file.server";
import { uploadImport } from "~/modules/payees/imports/upload-import.server";

export const { meta, ErrorBoundary } = named("Import payees", "Error Loading Imports");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readImportsPage(scope.services, actor, scope.url.searchParams);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const upload = async (form: FormData) => {
    const chosen = findFile(form);
    if (!chosen) throw invalidInput({ file: ["Choose a file"] });
    const { name, bytes } = await readFormFile(chosen);
    const submissionId = form.get("submissionId");
    const idempotencyKey = typeof submissionId === "string" && isId(submissionId) ? submissionId : undefined;
    const file = { name, bytes, hiddenRows: readHiddenRows(form) };
    const { importId, isNew } = await uploadImport(scope.services, actor, { ...file, idempotencyKey });
    const flash = {
      tone: "info",
      title: "This file is already here",
      description: "Its import has not ended.",
    } as const;
    return { to: appPaths.import(importId), ...(isNew ? {} : { flash }) };
  };
  return formAction(scope, upload, { fileBytes: MAX_FILE_BYTES, title: "The file cannot be read" });
});

export const clientAction = keepWhatWasTyped;

export default function ImportPayees() {
  const { rows, canUpload, nextHref, submissionId } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <>
      <PageHeader
        title="Import payees"
        description="Import payees from your accounting system or a spreadsheet. You see what would happen before anything is added."
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
      />
      {canUpload && <SubscriptionFirst answer={answer} />}
      {canUpload && <UploadCard submissionId={submissionId} answer={answer} />}
      <ListCard
        label="Imports"
        rows={rows}
        fixed
        brief
        columns={COLUMNS}
        empty={{
          icon: "upload",
          title: "No imports yet",
          children: "Export the suppliers or contacts of your accounting system as a file and upload it here.",
        }}
        pager={{ nextHref }}
      />
    </>
  );
}

const COUNTS = { rowCount: "Rows", addedCount: "Added", refusedCount: "Refused" };

const COLUMNS: Column<ImportView>[] = [
  {
    head: "File",
    width: "wide:w-[32%]",
    cell: ({ id, name, kind, uploadedBy }) => (
      <>
        <RowLink to={appPaths.import(id)}>
          <span className="break-words">{name}</span>
        </RowLink>
        <CellNote>{[KIND_LABELS[kind], uploadedBy].filter(Boolean).join(", ")}</CellNote>
      </>
    ),
  },
  ...(["rowCount", "addedCount", "refusedCount"] as const).map((count) => ({
    head: COUNTS[count],
    align: "right" as const,
    classOf: () => "cell-left-out",
    cell: (row: ImportView) => formatCount(row[count]),
  })),
  { head: "Status", classOf: () => "cell-end", cell: ({ status }) => <StatusBadge of="import" status={status} /> },
  { head: "Uploaded", classOf: () => "cell-last", cell: ({ uploadedAt }) => <Time {...uploadedAt} stacked /> },
];

/** Uploads a file of payees. Does not add any payee yet. */
function UploadCard({ submissionId, answer }: { submissionId: string; answer?: FormAnswer }) {
  const { file = [], ...errors } = answer?.errors ?? {};
  return (
    <>
      <FormErrorSummary title={answer?.title} errors={errors} formErrors={[...file, ...(answer?.formErrors ?? [])]} />
      <Card
        title="Upload a file"
        description="Contacts exported from Xero, cards exported from MYOB, or any table with names, BSBs and account numbers. Nothing is added yet."
        className="mb-6"
      >
        <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
          <HiddenFields values={{ submissionId }} />
          <FileInput
            name="file"
            label="File of payees"
            hint="CSV, text with semicolons or tabs, or an Excel workbook (.xlsx) of which the first sheet is read; up to 50,000 rows and 16 MB"
            accept=".csv,.txt,.tsv,.xlsx,text/csv,text/plain,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            showOptional={false}
          />
          <HiddenRowsChoice answer={answer} take="Import them too" />
          <div>
            <SubmitButton icon="upload" pendingText="Reading...">
              Upload and preview
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </>
  );
}
