import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { FilesTable } from "~/components/payments/payment-files/files-table";
import { UploadForm } from "~/components/payments/payment-files/upload-form";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import type { Flash } from "~/http/flash.server";
import { formAction, parseForm } from "~/http/form-action.server";
import { pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { findFile, readFormFile } from "~/http/upload.server";
import { canWrite } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { submissionSchema } from "~/modules/core/commands/idempotency-key.server";
import { MAX_FILE_BYTES } from "~/modules/payments/payment-files/payment-file";
import { listPaymentFiles, readFilesCursor } from "~/modules/payments/payment-files/payment-file.server";
import { toFileRow } from "~/modules/payments/payment-files/payment-file.view";
import { type Uploaded, uploadFile } from "~/modules/payments/payment-files/upload-file.server";
import { parseUpload, returnTableToForm } from "~/modules/payments/payment-files/upload-form.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Payment files")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const { files, next } = await listPaymentFiles(services, actor, readFilesCursor(url.searchParams));
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: files.map((file) => toFileRow(file, zone)),
    canUpload: canWrite(actor),
    nextHref: next && `${appPaths.paymentFiles}?after=${next}`,
    submissionId: services.ids.next(),
  };
});

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

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

function flashOf({ isNew, nameBefore }: Uploaded, name: string): Flash {
  if (isNew) return { tone: "success", title: "File uploaded" };
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
      {canUpload && <UploadForm submissionId={submissionId} answer={answer} />}
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState icon="file" title="No payment files yet">
            Upload the file that your accounting system made, before you give it to the bank.
          </EmptyState>
        ) : (
          <FilesTable rows={rows} />
        )}
        <Pagination label="Payment files" nextHref={nextHref} />
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payment Files" />;
}
