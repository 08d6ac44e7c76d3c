import { useActionData, useLoaderData } from "@remix-run/react";
import { type DragEvent, useState } from "react";
import { FileInput } from "~/components/forms/fields";
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
import { Badge, Button, cx } from "~/components/ui/elements";
import { PageHeader } from "~/components/ui/page-header";
import { Amount, Card, named, Time } from "~/components/ui/page-parts";
import { findFiles, readFormFile } from "~/http/body.server";
import { type Accepted, formAction, page, pageMember, pageWriter } from "~/http/page.server";
import { AppError, invalidInput } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { MAX_INVOICE_BYTES, MAX_INVOICE_FILES } from "~/modules/payments/invoices/invoice";
import { type InvoiceRow, readInvoicesPage } from "~/modules/payments/invoices/invoice-page.server";
import { type TakenInvoices, takeInSeveral } from "~/modules/payments/invoices/take-in-invoice.server";

export const { meta, ErrorBoundary } = named("Invoices", "Error Loading Invoices");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readInvoicesPage(scope.services, await pageMember(scope), scope.url.searchParams),
);

/** The limit for all files of one post together: three times the limit of one file. */
const MAX_POST_BYTES = 3 * MAX_INVOICE_BYTES;

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const takeIn = async (form: FormData) => {
    const files = findFiles(form);
    if (files.length === 0) throw invalidInput({ file: ["Choose an invoice"] });
    if (files.length > MAX_INVOICE_FILES) throw invalidInput({ file: [`Choose at most ${MAX_INVOICE_FILES} at once`] });
    const large = files.find(({ size }) => size > MAX_INVOICE_BYTES);
    if (large) throw new AppError("TOO_LARGE", 413, `“${large.name}” is larger than 10 MB.`);
    const documents = await Promise.all(files.map(readFormFile));
    return whereTo(await takeInSeveral(scope.services, actor, documents));
  };
  return formAction(scope, takeIn, { fileBytes: MAX_POST_BYTES, title: "The invoice was not uploaded" });
});

/** A single invoice leads to its page, several to the list. */
function whereTo({ taken, stopped, refused }: TakenInvoices): Accepted {
  const [first] = taken;
  if (first && taken.length === 1 && refused.length === 0) {
    const to = appPaths.supplierInvoice(first.invoiceId);
    return first.isNew ? { to } : { to, flash: { tone: "info", title: "This invoice was received before" } };
  }
  const known = taken.filter(({ isNew }) => !isNew).length;
  const description = [
    ...(stopped > 0 ? [`${stopped} ${stopped === 1 ? "needs" : "need"} a decision before you pay.`] : []),
    ...(known > 0 ? [`${known} received before.`] : []),
    ...refused.map(({ name, message }) => `“${name}”: ${message}`),
  ].join(" ");
  const title = `${taken.length} ${taken.length === 1 ? "invoice" : "invoices"} uploaded`;
  return {
    to: appPaths.invoices,
    flash: { tone: refused.length + stopped > 0 ? "info" : "success", title, description: description || undefined },
  };
}

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

function DropForm({ submissionId, answer }: { submissionId: string; answer?: FormAnswer }) {
  const [isOver, setOver] = useState(false);
  const errors = answer?.errors ?? {};
  const hover = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  // Files dropped anywhere on the form go to its file field.
  const drop = (event: DragEvent<HTMLFormElement>) => {
    event.preventDefault();
    setOver(false);
    const input = event.currentTarget.querySelector<HTMLInputElement>('input[type="file"]');
    if (!input || event.dataTransfer.files.length === 0) return;
    input.files = event.dataTransfer.files;
    event.currentTarget.requestSubmit();
  };
  return (
    <>
      <SubscriptionFirst answer={answer} />
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
        title="Check an invoice before it is paid"
        description="Drop PDFs, emails (.eml) or electronic invoices (XML) here, or choose them. Each is read and compared with your verified payees."
        className="mb-6 print:hidden"
      >
        <Form
          method="post"
          encType="multipart/form-data"
          noValidate
          onDragOver={hover}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className={cx(
            "grid gap-5 rounded-base p-4 border border-dashed",
            isOver ? "bg-accent-wash border-accent-text" : "border-line",
          )}
        >
          <HiddenFields values={{ submissionId }} />
          <FileInput
            name="file"
            label="Invoices"
            hint="Up to ten at once, 10 MB and 50 pages each, 30 MB together"
            multiple
            showOptional={false}
          />
          <div>
            <SubmitButton icon="upload" pendingText="Reading...">
              Read and check
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </>
  );
}

export default function Invoices() {
  const { rows, tabs, q, clearHref, nextHref, canAdd, isAdmin, submissionId } = useLoaderData<typeof loader>();
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
      {canAdd && <DropForm submissionId={submissionId} answer={answer} />}
      <ListCard
        label="Invoices"
        rows={rows}
        fixed
        brief
        columns={COLUMNS}
        isRed={({ standing }) => standing.tone === "review"}
        filters={{ label: "Status", items: tabs }}
        search={{ label: "Search supplier, number, payee, sender or file", defaultValue: q, clearHref }}
        empty={
          q
            ? { icon: "search", title: "No invoice found", children: `Nothing matches “${q}”.` }
            : {
                icon: "file",
                title: "No invoices yet",
                children: "Drop one in to see whether its account is the one that was verified.",
              }
        }
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
    cell: ({ standing }) => <Badge tone={standing.tone}>{standing.word}</Badge>,
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
