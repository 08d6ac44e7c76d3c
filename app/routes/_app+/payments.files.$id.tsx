import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { loadAgainWhenRefused } from "~/components/forms/load-again-when-refused";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { FilePage } from "~/components/payments/payment-files/file-page";
import { formAction, keepingAll, parseForm } from "~/http/form-action.server";
import { idParam, pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import type { FormAnswer } from "~/kernel/form-answer";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { submissionSchema } from "~/modules/core/commands/idempotency-key.server";
import { abandonFile } from "~/modules/payments/payment-files/abandon-file.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { decideLines } from "~/modules/payments/payment-files/decide-lines.server";
import { getFilePage } from "~/modules/payments/payment-files/file-page.server";
import type { LeftLine } from "~/modules/payments/payment-files/payment-file";
import { parseDecision, readPageFilter } from "~/modules/payments/payment-files/payment-file.server";

/** What the page says when an act of it was refused. */
const REFUSED: Readonly<Record<string, string>> = {
  clear: "The file was not cleared",
  abandon: "The file was not given up",
};

/** What a message has room for; the list of the page says it of every line. */
const MAX_TOLD = 2;

/** The lines that were not decided, each with why. */
function tellLeft(left: readonly LeftLine[]): string | undefined {
  if (left.length === 0) return undefined;
  const told = left.slice(0, MAX_TOLD).map(({ line, message }) => `Line ${line} was not decided: ${message}`);
  const more = left.length > MAX_TOLD ? [`${left.length - MAX_TOLD} more were not decided either.`] : [];
  return [...told, ...more].join(" ");
}

/** How often the page of a file that is being checked loads again, in seconds. */
const REFRESH_SECONDS = "2";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded ? `${loaded.page.file.name} · ` : ""}Payment file`),
  ...(loaded?.page.file.status === "checking" ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : []),
];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, params, url } = scope;
  const filter = readPageFilter(url.searchParams);
  return { page: await getFilePage(services, actor, idParam(params), filter), submissionId: services.ids.next() };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const fileId = idParam(scope.params);
  return formAction(
    scope,
    async (form) => {
      const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
      if (form.get("intent") === "clear") {
        const { lines, totalCents } = await clearFile(services, actor, { fileId, idempotencyKey });
        const description = `${lines.toLocaleString("en-AU")} payments, ${formatAud(totalCents)}. Download the cleared file below.`;
        return {
          to: appPaths.paymentFile(fileId),
          flash: { tone: "success", title: "Cleared for the bank", description },
        };
      }
      if (form.get("intent") === "abandon") {
        await abandonFile(services, actor, fileId);
        return { to: appPaths.paymentFile(fileId), flash: { tone: "success", title: "The file was given up" } };
      }
      const posted = parseDecision(form);
      const { lines, left } = await decideLines(services, actor, { fileId, ...posted, idempotencyKey });
      const verb = posted.decision === "approve" ? "approved" : "rejected";
      const title = `${lines.length.toLocaleString("en-AU")} payment${lines.length === 1 ? "" : "s"} ${verb}`;
      return { to: appPaths.paymentFile(fileId), flash: { tone: "success", title, description: tellLeft(left) } };
    },
    {
      title: (form) => REFUSED[String(form.get("intent"))] ?? "Nothing was decided",
      describe: keepingAll("line"),
    },
  );
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export const shouldRevalidate = loadAgainWhenRefused;

export default function PaymentFile() {
  const { page: loaded, submissionId } = useLoaderData<typeof loader>();
  return <FilePage page={loaded} submissionId={submissionId} answer={useActionData<FormAnswer>()} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payment File" />;
}
