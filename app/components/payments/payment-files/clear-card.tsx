import { Form } from "~/components/forms/form";
import { HiddenFields, SubmitButton } from "~/components/forms/post-form";
import { Button, buttonClass } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { Amount } from "~/components/ui/digits";
import { Time } from "~/components/ui/time";
import { appPaths } from "~/kernel/paths/app";
import type { FilePage } from "~/modules/payments/payment-files/file-page.view";

/** Makes the file that may go to the bank. */
export function ClearCard({ page, submissionId }: { page: FilePage; submissionId: string }) {
  const { file, canDecide, needsPayer } = page;
  if (!canDecide || file.toClearCount === 0) return null;
  if (needsPayer) {
    return (
      <Callout
        tone="info"
        title="Say which account pays"
        className="mb-6"
        actions={
          <Button to={appPaths.fileSettings} variant="secondary">
            Enter the paying account
          </Button>
        }
      >
        A table does not say which account pays. The cleared ABA file needs it.
      </Callout>
    );
  }
  return (
    <Card
      title="Clear for the bank"
      description={`Checks the ${file.toClearCount.toLocaleString("en-AU")} authorised payments once more, and makes the ABA file that carries only them.`}
      className="mb-6"
    >
      {file.heldCount > 0 && (
        <p className="mb-4 max-w-[70ch] text-base">
          {file.heldCount === 1 ? "One payment is" : `${file.heldCount.toLocaleString("en-AU")} payments are`} held and
          will not be in it. What you approve later goes into a second file.
        </p>
      )}
      <Form method="post">
        <HiddenFields values={{ submissionId }} />
        <SubmitButton name="intent" value="clear" icon="shieldCheck" pendingText="Checking once more...">
          Clear {file.toClearCount.toLocaleString("en-AU")} for the bank
        </SubmitButton>
      </Form>
    </Card>
  );
}

/** The files that were cleared, each with what proves it. */
export function ClearingsCard({ clearings, file }: Pick<FilePage, "clearings" | "file">) {
  if (clearings.length === 0) return null;
  return (
    <Card
      title="Cleared for the bank"
      description="Give your bank exactly this file. The SHA-256 later proves that it was this one."
      actions={
        <Button to={appPaths.fileOutcomes(file.id)} variant="secondary">
          What did the bank do?
        </Button>
      }
      className="mb-6"
    >
      <ul className="divide-y divide-line">
        {clearings.map((clearing) => (
          <li key={clearing.id} className="grid gap-2 py-4 first:pt-0 last:pb-0">
            <p className="text-base">
              <span className="font-medium">{clearing.lineCount.toLocaleString("en-AU")} payments</span>,{" "}
              <Amount cents={clearing.totalCents} />, cleared by {clearing.clearedBy ?? "PayeeProof"}{" "}
              <Time {...clearing.clearedAt} />
            </p>
            <p className="break-all font-mono text-ink-soft text-sm">SHA-256 {clearing.sha256}</p>
            <div className="flex flex-wrap gap-2">
              <a
                href={`${appPaths.fileCleared(file.id)}?clearing=${clearing.id}`}
                className={buttonClass("primary", "sm")}
                download
              >
                Download the cleared file
              </a>
              <Button to={`${appPaths.fileCertificate(file.id)}?clearing=${clearing.id}`} variant="secondary" size="sm">
                Certificate
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
