import { useActionData, useLoaderData } from "@remix-run/react";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  keepWhatWasTyped,
  loadAgainWhenRefused,
  SubmitButton,
} from "~/components/forms/form";
import { SubscriptionEnded, SubscriptionFirst } from "~/components/forms/refused-act";
import {
  BanksCard,
  ClearCard,
  ClearingsCard,
  FileFigures,
  HeldReasons,
  LastRun,
  PayingCard,
} from "~/components/payments/payment-files/file-summary";
import { LinesCard } from "~/components/payments/payment-files/lines-card";
import { Button, buttonClass, Callout } from "~/components/ui/elements";
import { Card, named, PageHeader, Time } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { asAdmin, formAction, idParam, keepingAll, page, pageMember, pageWriter, parseForm } from "~/http/page.server";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { signedFieldsOf } from "~/modules/accounts/identity/signed-approval.server";
import { submissionSchema } from "~/modules/core/commands/run-command.server";
import { abandonFile } from "~/modules/payments/payment-files/abandon-file.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { decideLines, parseDecision } from "~/modules/payments/payment-files/decide-lines.server";
import { readPageFilter } from "~/modules/payments/payment-files/file-lines.server";
import { type FilePage as Page, readFilePage } from "~/modules/payments/payment-files/file-page.server";
import type { LeftLine } from "~/modules/payments/payment-files/payment-file";
import { getPaymentFile } from "~/modules/payments/payment-files/payment-file.server";
import { declarePayingAccounts } from "~/modules/payments/payment-files/settings.server";

/** The title when one of the page's actions was refused. */
const REFUSED: Readonly<Record<string, string>> = {
  clear: "The file was not cleared",
  abandon: "The file was not abandoned",
  declare: "Nothing was declared",
};

/** A message has room for only a few; the page's list says it for every line. */
const MAX_TOLD = 2;

/** The lines that were not decided, with the reasons. */
function tellLeft(left: readonly LeftLine[]): string | undefined {
  if (left.length === 0) return undefined;
  const told = left.slice(0, MAX_TOLD).map(({ line, message }) => `Line ${line} was not decided: ${message}`);
  const more = left.length > MAX_TOLD ? [`${left.length - MAX_TOLD} more were not decided either.`] : [];
  return [...told, ...more].join(" ");
}

/** How often the page reloads while the file is being checked, in seconds. */
const REFRESH_SECONDS = "2";

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.page.file.name} · ` : ""}Payment file`,
  "Error Loading Payment File",
  (loaded) => (loaded?.page.file.status === "checking" ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : []),
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, params, url } = scope;
  const filter = readPageFilter(url.searchParams);
  return { page: await readFilePage(services, actor, idParam(params), filter), submissionId: services.ids.next() };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const fileId = idParam(scope.params);
  return formAction(
    scope,
    async (form) => {
      const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
      const signed = signedFieldsOf(form);
      if (form.get("intent") === "clear") {
        const { lines, totalCents } = await clearFile(services, actor, { fileId, idempotencyKey, signed });
        const description = `${formatCount(lines, "payment")}, ${formatAud(totalCents)}. Download the cleared file below.`;
        return {
          to: appPaths.paymentFile(fileId),
          flash: { tone: "success", title: "Cleared for the bank", description },
        };
      }
      if (form.get("intent") === "abandon") {
        await abandonFile(services, actor, fileId);
        return { to: appPaths.paymentFile(fileId), flash: { tone: "success", title: "The file was abandoned" } };
      }
      if (form.get("intent") === "declare") {
        const { paysFrom } = await getPaymentFile(services, actor, fileId);
        await declarePayingAccounts(services, asAdmin(actor), { fileId, paysFrom });
        return { to: appPaths.paymentFile(fileId), flash: { tone: "success", title: "Declared to pay from" } };
      }
      const posted = parseDecision(form);
      const { lines, left } = await decideLines(services, actor, { fileId, ...posted, idempotencyKey, signed });
      const verb = posted.decision === "approve" ? "approved" : "rejected";
      const title = `${formatCount(lines.length, "payment")} ${verb}`;
      return { to: appPaths.paymentFile(fileId), flash: { tone: "success", title, description: tellLeft(left) } };
    },
    {
      title: (form) => REFUSED[String(form.get("intent"))] ?? "Nothing was decided",
      describe: keepingAll("line"),
    },
  );
});

export const clientAction = keepWhatWasTyped;

export const shouldRevalidate = loadAgainWhenRefused;

export default function PaymentFile() {
  const { page: loaded, submissionId } = useLoaderData<typeof loader>();
  return <FilePage page={loaded} submissionId={submissionId} answer={useActionData<FormAnswer>()} />;
}

/** One payment file: what is clear, what is held and why, and what can be cleared. */
function FilePage({ page, submissionId, answer }: { page: Page; submissionId: string; answer?: FormAnswer }) {
  const { file } = page;
  // What needs a decision comes before what can be known or done besides.
  const hasHeld = file.heldCount > 0;
  const lines = <LinesCard page={page} submissionId={submissionId} answer={answer} />;
  return (
    <>
      <PageHeader
        title={file.name}
        description={
          <>
            {formatCount(file.lineCount, "payment")}, {formatAud(file.totalCents)}, {file.formatLabel}. Uploaded{" "}
            {file.uploadedBy && `by ${file.uploadedBy}, `}
            <Time {...file.uploadedAt} />
          </>
        }
        breadcrumb={[
          { label: "Payments", to: appPaths.payments },
          { label: "Payment files", to: appPaths.paymentFiles },
        ]}
        badges={<StatusBadge of="file" status={page.paying.state === "other" ? "stopped" : file.status} />}
      />
      {page.canDecide && <SubscriptionFirst answer={answer} />}
      {answer && <Refusal answer={answer} />}
      {file.status === "checking" ? (
        <Progress file={file} />
      ) : (
        <>
          <Warnings problems={file.problems} />
          <PayingCard page={page} submissionId={submissionId} />
          <FileFigures {...page} />
          {hasHeld && <div className="mb-6">{lines}</div>}
          <BanksCard {...page} />
          <ClearCard page={page} submissionId={submissionId} />
          <ClearingsCard {...page} />
          <div className="mb-6 grid items-start gap-6 @[52rem]/main:has-[>:nth-child(2)]:grid-cols-2">
            <HeldReasons {...page} />
            <LastRun {...page} />
          </div>
          <NotChecked />
          {!hasHeld && lines}
          <Evidence fileId={file.id} />
        </>
      )}
      {page.canAbandon && <AbandonFile />}
    </>
  );
}

function Refusal({ answer }: { answer: FormAnswer }) {
  if (answer.code === "SUBSCRIPTION_REQUIRED") return <SubscriptionEnded message={answer.formErrors.join(" ")} />;
  const { line, ...errors } = answer.errors;
  const left = answer.code === "DECIDE_ONE_BY_ONE" ? (answer.extra?.lines as LeftLine[] | undefined) : undefined;
  const sentences = left?.map((each) => `Line ${each.line}: ${each.message}`) ?? answer.formErrors;
  return <FormErrorSummary title={answer.title} errors={errors} formErrors={[...(line ?? []), ...sentences]} />;
}

function Progress({ file }: Pick<Page, "file">) {
  return (
    <Card title="The file is being checked">
      <p className="mb-3 text-base" aria-live="polite">
        {formatCount(file.checkedCount)} of {formatCount(file.lineCount)} payments are checked. This page updates
        automatically; you can close it and come back.
      </p>
      <progress className="h-2 w-full" max={file.lineCount} value={file.checkedCount}>
        {file.checkedCount} of {file.lineCount}
      </progress>
    </Card>
  );
}

function Warnings({ problems }: Pick<Page["file"], "problems">) {
  if (problems.length === 0) return null;
  return (
    <Callout tone="warning" title="About the file itself" className="mb-6">
      <ul className="grid gap-1">
        {problems.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Callout>
  );
}

function Evidence({ fileId }: { fileId: string }) {
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      <a href={appPaths.fileOriginal(fileId)} className={buttonClass("secondary", "sm")} download>
        Download the uploaded file
      </a>
      <Button to={appPaths.fileReplay(fileId)} variant="secondary" size="sm">
        Run the decisions again
      </Button>
    </div>
  );
}

function NotChecked() {
  return (
    <p className="mb-4 max-w-[80ch] text-ink-soft text-sm">
      ABNs are compared with the last answer of the business register. Where it has not answered, nothing is said about
      the ABN.
    </p>
  );
}

/** Abandons the file. The effect is explained before the button, so no confirmation is needed. */
function AbandonFile() {
  return (
    <details className="mt-6" data-screen-only>
      <summary className="inline-flex min-h-10 items-center rounded-base text-ink-soft text-base">
        Abandon this file
      </summary>
      <Form method="post" className="grid max-w-[70ch] justify-items-start gap-3 pt-2 text-base">
        <p>
          After that nothing in it can be cleared. It stays here with its decisions, and the same file can be uploaded
          again.
        </p>
        <SubmitButton name="intent" value="abandon" variant="danger" pendingText="Abandoning...">
          Abandon this file
        </SubmitButton>
      </Form>
    </details>
  );
}
