import { useActionData, useLoaderData } from "@remix-run/react";
import { type FormAnswer, keepWhatWasTyped, loadAgainWhenRefused } from "~/components/forms/form";
import { InvoiceDrop } from "~/components/payments/invoices/invoice-drop";
import { InvoiceStanding } from "~/components/payments/invoices/invoice-standing";
import { ListCard, nothingFoundSoFar } from "~/components/tables/list-card";
import { CellNote, type Column, RowLink } from "~/components/tables/table";
import { Button } from "~/components/ui/elements";
import { Amount, named, PageHeader, Time } from "~/components/ui/page-parts";
import { useReloadWhile } from "~/components/ui/use-reload-while";
import { findFiles, readFormFile } from "~/http/body.server";
import { type Accepted, formAction, type NextStep, page, pageMember, pageWriter } from "~/http/page.server";
import { AppError, invalidInput } from "~/kernel/app-error";
import { PART_FIELD } from "~/kernel/form-fields";
import { appPaths } from "~/kernel/paths/app";
import { MAX_INVOICE_BYTES, MAX_POST_BYTES, TOO_LARGE } from "~/modules/payments/invoices/invoice";
import { type InvoiceRow, readInvoicesPage } from "~/modules/payments/invoices/invoice-page.server";
import { takeInInvoice, takeInSeveral } from "~/modules/payments/invoices/take-in-invoice.server";

export const { meta, ErrorBoundary } = named("Invoices", "Error Loading Invoices");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readInvoicesPage(scope.services, await pageMember(scope), scope.url.searchParams),
);

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const takeIn = async (form: FormData): Promise<Accepted | NextStep> => {
    const [file, ...more] = findFiles(form);
    if (!file) throw invalidInput({ file: ["Choose an invoice"] });
    if (more.length > 0 || form.has(PART_FIELD)) {
      const documents = await Promise.all([file, ...more].map(readFormFile));
      return { next: { files: await takeInSeveral(services, actor, documents) } };
    }
    if (file.size > MAX_INVOICE_BYTES) throw new AppError("TOO_LARGE", TOO_LARGE);
    const { name: fileName, bytes } = await readFormFile(file);
    const { invoiceId, isNew } = await takeInInvoice(services, actor, { fileName, bytes, source: "upload" });
    const to = appPaths.supplierInvoice(invoiceId);
    return isNew ? { to } : { to, flash: { tone: "info", title: "This invoice was received before" } };
  };
  return formAction(scope, takeIn, {
    fileBytes: MAX_POST_BYTES,
    tooLarge: "The upload is larger than 30 MB. Choose fewer files, of at most 10 MB each.",
    title: "Nothing was uploaded",
  });
});

export const clientAction = keepWhatWasTyped;

export const shouldRevalidate = loadAgainWhenRefused;

export default function Invoices() {
  const { rows, tabs, tab, empty, q, isReading, clearHref, nextHref, canAdd, mailTo, isAdmin } =
    useLoaderData<typeof loader>();
  useReloadWhile(isReading);
  const answer = useActionData<FormAnswer>();
  return (
    <>
      <PageHeader
        title="Invoices"
        description="Whether the bank details on an invoice are the ones that were verified."
        breadcrumb={[{ label: "Payments", to: appPaths.payments }]}
        actions={
          isAdmin && (
            <Button to={appPaths.invoiceSettings} variant="secondary" icon="settings">
              Settings
            </Button>
          )
        }
      />
      {canAdd && <InvoiceDrop mailTo={mailTo} answer={answer} />}
      <ListCard
        label="Invoices"
        rows={rows}
        fixed
        brief
        columns={COLUMNS}
        isRed={({ standing }) => standing.tone === "review"}
        filters={{ label: "Status", items: tabs }}
        search={{
          label: "Search supplier, number, payee, sender or file",
          defaultValue: q,
          keep: { status: tab === "all" ? undefined : tab },
          clearHref,
        }}
        empty={q && nextHref ? nothingFoundSoFar("list", nextHref) : empty}
        pager={{ nextHref }}
      />
    </>
  );
}

const COLUMNS: Column<InvoiceRow>[] = [
  {
    head: "Invoice",
    width: "wide:w-[30%]",
    cell: ({ id, title, fileName }) => (
      <>
        <RowLink to={appPaths.supplierInvoice(id)}>
          <span className="break-words">{title}</span>
        </RowLink>
        {title !== fileName && (
          <CellNote>
            <span className="break-words">{fileName}</span>
          </CellNote>
        )}
      </>
    ),
  },
  {
    head: "Verdict",
    width: "wide:w-[21%]",
    classOf: () => "cell-last",
    cell: (invoice) => <InvoiceStanding {...invoice} />,
  },
  {
    head: "Payee",
    classOf: () => "cell-left-out",
    cell: ({ payeeName }) => payeeName && <span className="break-words">{payeeName}</span>,
  },
  { head: "Total", align: "right", cell: ({ totalCents }) => totalCents !== null && <Amount cents={totalCents} /> },
  {
    head: "Received",
    width: "wide:w-[19%]",
    classOf: () => "cell-last",
    cell: ({ receivedAt, receivedBy }) => (
      <>
        <Time dateTime={receivedAt.dateTime} exact={receivedAt.exact} />
        {receivedBy && (
          <CellNote>
            <span className="break-words">{receivedBy}</span>
          </CellNote>
        )}
      </>
    ),
  },
];
