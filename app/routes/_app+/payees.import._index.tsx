import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ImportsTable } from "~/components/payees/imports/imports-table";
import { UploadCard } from "~/components/payees/imports/upload-card";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { formAction } from "~/http/form-action.server";
import { pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { findFile, readFormFile } from "~/http/upload.server";
import { canWrite } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { MAX_FILE_BYTES } from "~/modules/payees/imports/import";
import { listImports, readImportsCursor } from "~/modules/payees/imports/import.server";
import { toImportView } from "~/modules/payees/imports/import.view";
import { uploadImport } from "~/modules/payees/imports/upload-import.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Import payees")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const { imports, next } = await listImports(services, actor, readImportsCursor(url.searchParams));
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: imports.map((row) => toImportView(row, zone)),
    canUpload: canWrite(actor),
    nextHref: next && `${appPaths.imports}?after=${next}`,
    submissionId: services.ids.next(),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const upload = async (form: FormData) => {
    const chosen = findFile(form);
    if (!chosen) throw invalidInput({ file: ["Choose a file"] });
    const { name, bytes } = await readFormFile(chosen);
    const submissionId = form.get("submissionId");
    const idempotencyKey = typeof submissionId === "string" && isId(submissionId) ? submissionId : undefined;
    const { importId, isNew } = await uploadImport(scope.services, actor, { name, bytes, idempotencyKey });
    const flash = {
      tone: "info",
      title: "This file is here already",
      description: "Its import has not ended.",
    } as const;
    return { to: appPaths.import(importId), ...(isNew ? {} : { flash }) };
  };
  return formAction(scope, upload, { fileBytes: MAX_FILE_BYTES, title: "The file cannot be read" });
});

/** A lost connection is reported in the form; what was typed stays. */
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
      {canUpload && <UploadCard submissionId={submissionId} answer={answer} />}
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState icon="upload" title="No imports yet">
            Export the suppliers or contacts of your accounting system as a file and upload it here.
          </EmptyState>
        ) : (
          <ImportsTable rows={rows} />
        )}
        <Pagination label="Imports" nextHref={nextHref} />
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Imports" />;
}
