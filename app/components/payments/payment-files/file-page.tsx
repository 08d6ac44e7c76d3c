import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { SubscriptionEnded } from "~/components/forms/subscription-ended";
import { Button, buttonClass } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import type { FormAnswer } from "~/kernel/form-answer";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import type { FilePage as Page } from "~/modules/payments/payment-files/file-page.view";
import type { LeftLine } from "~/modules/payments/payment-files/payment-file";
import { FORMAT_LABELS } from "~/modules/payments/payment-files/payment-file.view";
import { AbandonFile } from "./abandon-file";
import { ClearCard, ClearingsCard } from "./clear-card";
import { FileFigures, HeldReasons, LastRun } from "./file-summary";
import { LinesCard } from "./lines-card";

interface FilePageProps {
  page: Page;
  submissionId: string;
  answer?: FormAnswer;
}

/** One payment file: what is clear, what is held and why, and what may go to the bank. */
export function FilePage({ page, submissionId, answer }: FilePageProps) {
  const { file } = page;
  return (
    <>
      <PageHeader
        title={file.name}
        description={
          <>
            {file.lineCount.toLocaleString("en-AU")} payments, {formatAud(file.totalCents)},{" "}
            {FORMAT_LABELS[file.format]}. Uploaded {file.uploadedBy && `by ${file.uploadedBy} `}
            <Time {...file.uploadedAt} />
          </>
        }
        breadcrumb={[
          { label: "Payments", to: appPaths.payments },
          { label: "Payment files", to: appPaths.paymentFiles },
        ]}
        badges={<StatusBadge of="file" status={file.status} />}
      />
      {answer && <Refusal answer={answer} />}
      {file.status === "checking" ? (
        <Progress file={file} />
      ) : (
        <>
          <Warnings problems={file.problems} />
          <FileFigures {...page} />
          <ClearCard page={page} submissionId={submissionId} />
          <ClearingsCard {...page} />
          <div className="mb-6 grid items-start gap-6 lg:grid-cols-2">
            <HeldReasons {...page} />
            <LastRun {...page} />
          </div>
          <NotChecked />
          <LinesCard page={page} submissionId={submissionId} answer={answer} />
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
        {file.checkedCount.toLocaleString("en-AU")} of {file.lineCount.toLocaleString("en-AU")} payments are checked.
        This page shows the next ones by itself; you can close it and come back.
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
      ABNs are compared with the last answer of the business register. Where it has not answered, nothing is said of the
      ABN.
    </p>
  );
}
