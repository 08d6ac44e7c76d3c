import { Button, buttonClass } from "~/components/ui/elements";
import { Amount, Card, Time } from "~/components/ui/page-parts";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import type { FilePage } from "~/modules/payments/payment-files/file-page.server";

/** The cleared files, each with its proof. */
export function Clearings({ clearings, file }: Pick<FilePage, "clearings" | "file">) {
  return (
    <Card
      title="Cleared for the bank"
      description="Give your bank exactly this file. Its SHA-256 can prove later that the file was not changed."
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
              <span className="font-medium">{formatCount(clearing.lineCount, "payment")}</span>
              {", "}
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
