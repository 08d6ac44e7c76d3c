import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { PasskeyApproval } from "~/components/accounts/identity/passkey-approval";
import { Form, HiddenFields, SubmitButton } from "~/components/forms/form";
import { onDemand } from "~/components/on-demand";
import { Button, Callout, cx, Icon } from "~/components/ui/elements";
import { Amount, Bsb, Card, Masked, Time } from "~/components/ui/page-parts";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import type { FilePage } from "~/modules/payments/payment-files/file-page.server";
import { linesHref, STOPPED_NEXT } from "~/modules/payments/payment-files/payment-file";
import * as onServer from "./on-demand.server";

/** Only what needs a person is in colour. The parts differ in forced colours too. `lines`: where they are listed. */
const PARTS = [
  { sum: "heldCents", word: "Held", lines: "held", fill: "fill-review-fill", dot: "text-review-fill" },
  {
    sum: "approvedCents",
    word: "Approved, not cleared",
    lines: "authorised",
    fill: "fill-ink-soft forced-colors:fill-[Highlight]",
    dot: "text-ink-soft forced-colors:text-[Highlight]",
  },
  {
    sum: "rejectedCents",
    word: "Rejected",
    lines: "rejected",
    fill: "fill-control forced-colors:fill-[GrayText]",
    dot: "text-control forced-colors:text-[GrayText]",
  },
  {
    sum: "clearedCents",
    word: "Cleared",
    lines: "authorised",
    fill: "fill-ink forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]",
    dot: "text-ink forced-colors:text-[Canvas] forced-colors:stroke-[CanvasText]",
  },
] as const;

/** How much of the file's total is held, approved, rejected and cleared, and what goes to new payees and new accounts. */
export function FileFigures({ file, sums, newAndChanged }: Pick<FilePage, "file" | "sums" | "newAndChanged">) {
  const total = PARTS.reduce((sum, part) => sum + sums[part.sum], 0);
  const counts = {
    heldCents: file.heldCount,
    approvedCents: file.toClearCount,
    rejectedCents: file.rejectedCount,
    clearedCents: file.clearedCount,
  };
  let at = 0;
  const parts = PARTS.map((part) => {
    const width = total === 0 ? 0 : (100 * sums[part.sum]) / total;
    at += width;
    return { ...part, width, from: at - width };
  });
  return (
    <div className="mb-6 text-base">
      {total > 0 && (
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" className="h-3 w-full rounded-full">
          {parts.map(({ sum, width, from, fill }) => (
            <rect
              key={sum}
              x={from}
              width={width}
              height="1"
              vectorEffect="non-scaling-stroke"
              className={cx(fill, width === 0 && "hidden")}
            />
          ))}
        </svg>
      )}
      <dl className="mt-2 grid gap-x-6 gap-y-1 @[34rem]/main:grid-cols-2 @[61rem]/main:flex @[61rem]/main:flex-wrap">
        {parts.map(({ sum, word, lines, dot }) => (
          <div key={sum} className="flex flex-wrap items-baseline gap-x-2">
            <dt className="flex items-baseline gap-2">
              <svg viewBox="0 0 10 10" aria-hidden="true" className={`size-2.5 shrink-0 ${dot}`}>
                <circle cx="5" cy="5" r="5" fill="currentColor" />
              </svg>
              <Link to={linesHref(file.id, { tab: lines })} className="text-accent-text underline underline-offset-2">
                {word}
              </Link>
            </dt>
            <dd className="figures">
              <Amount cents={sums[sum]} className="font-medium" />{" "}
              <span className="text-ink-soft text-sm">{formatCount(counts[sum], "payment")}</span>
            </dd>
          </div>
        ))}
      </dl>
      {newAndChanged && <NewFigures {...newAndChanged} isCleared={file.clearedCount > 0} />}
    </div>
  );
}

function NewFigures({
  firstPayments,
  firstCents,
  changed,
  changedCents,
  toFormer,
  isCleared,
}: NonNullable<FilePage["newAndChanged"]> & { isCleared: boolean }) {
  const when = isCleared ? "in the 30 days before" : "in the last 30 days";
  const former = toFormer > 0 ? `, ${toFormer} to a former account` : "";
  return (
    <dl className="mt-3 grid gap-x-6 gap-y-1 border-line border-t pt-3 @[61rem]/main:grid-cols-2">
      <NewFigure term="Never paid before" cents={firstCents}>
        {formatCount(firstPayments, "payment")} to payees without a successful payment
      </NewFigure>
      <NewFigure term="Bank details changed" cents={changedCents} isWarning={changed > 0}>
        {formatCount(changed, "payment")} to payees changed {when}
        {former}
      </NewFigure>
      {isCleared && (
        <div className="text-ink-soft text-sm @[61rem]/main:col-span-2">
          <dt className="sr-only">Of these two</dt>
          <dd>As it was when this file was first cleared. Later edits are not in these two figures.</dd>
        </div>
      )}
    </dl>
  );
}

type NewFigureProps = { term: string; cents: number; isWarning?: boolean; children: ReactNode };

function NewFigure({ term, cents, isWarning = false, children }: NewFigureProps) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2">
      <dt className={cx(isWarning ? "text-pending" : "text-ink-soft")}>
        {isWarning && <Icon name="pencil" className="mr-1 inline size-3.5" />}
        {term}
      </dt>
      <dd className="figures">
        <Amount cents={cents} className="font-medium" /> <span className="text-ink-soft text-sm">{children}</span>
      </dd>
    </div>
  );
}

/** The paying account: a warning if it is not declared, and a request to declare one if there is none. */
export function PayingCard({ page, submissionId }: { page: FilePage; submissionId: string }) {
  const { state, problems, undeclared, mayDeclare, isCleared } = page.paying;
  if (state !== "other" && state !== "none_declared") return null;
  const isOther = state === "other";
  return (
    <Callout
      tone={isOther ? "danger" : "info"}
      title={
        isOther
          ? `This file is stopped: it names a different paying account${isCleared ? ". Part of it was cleared before" : ""}`
          : "Which accounts do you pay from?"
      }
      className="mb-6"
    >
      {isOther ? (
        <>
          <ul className="grid gap-1">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          <p className="mt-2">{STOPPED_NEXT}</p>
        </>
      ) : (
        <p>
          Your organisation has not declared an account to pay from, so the paying account in this file was not checked.
          Once one is declared, a file that names a different account or bank is stopped.
        </p>
      )}
      {undeclared.length > 0 && (
        <div className="mt-3 grid gap-2">
          <p>The file names:</p>
          <ul className="grid gap-1">
            {undeclared.map((account) => (
              <li key={`${account.bsb} ${account.maskedAccountNumber}`} className="flex flex-wrap gap-x-3">
                <Bsb value={account.bsb} /> <Masked value={account.maskedAccountNumber} />
                <span>
                  {account.bank}, user number {account.userId}
                </span>
              </li>
            ))}
          </ul>
          {mayDeclare ? (
            <Form method="post">
              <HiddenFields values={{ submissionId }} />
              <SubmitButton name="intent" value="declare" variant="secondary" pendingText="Declaring...">
                {undeclared.length === 1 ? "We pay from this account" : "We pay from these accounts"}
              </SubmitButton>
            </Form>
          ) : (
            <p>An administrator of your organisation can declare it.</p>
          )}
        </div>
      )}
    </Callout>
  );
}

/** Why lines are held, largest amount first, with links to the lines. */
export function HeldReasons({
  file,
  reasons,
  payees,
  rule,
  payeeId,
}: Pick<FilePage, "file" | "reasons" | "payees" | "rule" | "payeeId">) {
  if (reasons.length === 0) return null;
  return (
    <Card
      title="Why payments are held"
      description="The largest amount first. A payment can be held for several reasons."
    >
      <ul className="divide-y divide-line">
        {reasons.map((reason) => (
          <HeldRow
            key={reason.rule}
            to={linesHref(file.id, { tab: "held", rule: reason.rule })}
            isCurrent={reason.rule === rule}
            {...reason}
          />
        ))}
        {payees.map((payee) => (
          <HeldRow
            key={payee.payeeId}
            to={linesHref(file.id, { tab: "held", payeeId: payee.payeeId })}
            isCurrent={payee.payeeId === payeeId}
            label={`All payments to ${payee.name}`}
            {...payee}
          />
        ))}
      </ul>
    </Card>
  );
}

interface HeldRowProps {
  to: string;
  isCurrent: boolean;
  label: string;
  count: number;
  cents: number;
  togetherCount: number;
}

function HeldRow({ to, isCurrent, label, count: lines, cents, togetherCount }: HeldRowProps) {
  return (
    <SumRow payments={lines} cents={cents}>
      <Link
        to={to}
        aria-current={isCurrent ? "true" : undefined}
        className="font-medium text-accent-text underline underline-offset-2 aria-[current]:text-ink"
      >
        {label}
      </Link>
      {togetherCount === 0 && (
        <span className="ml-3 whitespace-nowrap text-review text-sm">
          <Icon name="flag" className="mr-1 inline size-3.5" />
          one by one
        </span>
      )}
    </SumRow>
  );
}

/** A group of payments: its description, number and total. */
function SumRow({ payments, cents, children }: { payments: number; cents: number; children: ReactNode }) {
  return (
    <li className="flex items-baseline justify-between gap-x-6 gap-y-1 py-2.5 text-base first:pt-0 last:pb-0 max-sm:flex-wrap">
      <span className="min-w-0">{children}</span>
      <span className="figures text-ink-soft @[20rem]/main:shrink-0">
        {formatCount(payments, "payment")}, <Amount cents={cents} className="text-ink" />
      </span>
    </li>
  );
}

/** Compares this run with the last cleared one. */
export function LastRun({ file, lastRun, isComparisonLost }: Pick<FilePage, "file" | "lastRun" | "isComparisonLost">) {
  if (!lastRun) {
    return (
      <Card title="Compared with the last run">
        <p className="text-base text-ink-soft">
          {isComparisonLost
            ? "What the comparison said when this file was cleared was not kept."
            : "No file was cleared before this one, so there is nothing to compare with."}
        </p>
      </Card>
    );
  }
  const { added, jumped, missing } = lastRun;
  return (
    <Card
      title="Compared with the last run"
      description={
        <>
          <Link to={lastRun.href} className="text-accent-text underline underline-offset-2">
            {lastRun.name}
          </Link>
          , uploaded <Time {...lastRun.uploadedAt} />
          {file.clearedCount > 0 && ". As it was when this file was first cleared."}
        </>
      }
    >
      <dl className="grid gap-4 text-base">
        <Compared term="New in this run" {...added} />
        <Compared term="More than twice as much" {...jumped} />
        <Compared term="Paid then, not now" {...missing} />
      </dl>
    </Card>
  );
}

interface ComparedProps {
  term: string;
  shown: readonly { payeeId: string; name: string; cents: number; beforeCents?: number }[];
  count: number;
}

function Compared({ term, shown, count: all }: ComparedProps) {
  return (
    <div>
      <dt className="text-ink-soft">
        {term}: {formatCount(all, "payee")}
      </dt>
      {shown.map(({ payeeId, name, cents, beforeCents }) => (
        <dd key={payeeId} className="flex flex-wrap justify-between gap-x-4">
          <span className="min-w-0 break-words">{name}</span>
          <span className="figures">
            {beforeCents !== undefined && <span className="text-ink-soft">{formatAud(beforeCents)} then, </span>}
            <Amount cents={cents} />
          </span>
        </dd>
      ))}
      {all > shown.length && <dd className="text-ink-soft text-sm">and {all - shown.length} more</dd>}
    </div>
  );
}

/** What banks said about the accounts that the file pays, when they were last asked, and which were not asked. */
export function BanksCard({ banks }: Pick<FilePage, "banks">) {
  if (!banks) return null;
  return (
    <Card title="What banks said" description="Confirmation of Payee for the account of each payment." className="mb-6">
      <ul className="divide-y divide-line">
        {banks.map(({ state, word, count: payments, cents, lastAt }) => (
          <SumRow key={state} payments={payments} cents={cents}>
            {state === "against" && <Icon name="flag" className="mr-1 inline size-3.5 text-review" />}
            {word}
            {lastAt && (
              <span className="text-ink-soft">
                , last on <Time {...lastAt} />
              </span>
            )}
          </SumRow>
        ))}
      </ul>
    </Card>
  );
}

/** Creates the file for the bank. */
export function ClearCard({ page, submissionId }: { page: FilePage; submissionId: string }) {
  const { file, canDecide, needsPayer } = page;
  if (!canDecide || file.toClearCount === 0 || page.paying.state === "other") return null;
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
        A table does not name the paying account, and the cleared ABA file needs one.
      </Callout>
    );
  }
  return (
    <Card
      title="Clear for the bank"
      description={`Checks the ${formatCount(file.toClearCount)} authorised payments again, and makes an ABA file with only those payments.`}
      className="mb-6 print:hidden"
    >
      {file.heldCount > 0 && (
        <p className="mb-4 max-w-[70ch] text-base">
          {file.heldCount === 1 ? "One payment is" : `${formatCount(file.heldCount)} payments are`} held and will not be
          in it. What you approve later goes into a second file.
        </p>
      )}
      <Form method="post">
        <HiddenFields values={{ submissionId }} />
        {page.approval ? (
          <PasskeyApproval approval={page.approval} name="intent" value="clear" />
        ) : (
          <SubmitButton name="intent" value="clear" icon="shieldCheck" pendingText="Checking again...">
            Clear {formatCount(file.toClearCount)} for the bank
          </SubmitButton>
        )}
      </Form>
    </Card>
  );
}

const Clearings = onDemand(onServer.Clearings, () => import("./clearings").then(({ Clearings }) => Clearings));

/** The cleared files with their proofs; few pages have any. */
export const ClearingsCard = (shown: Pick<FilePage, "clearings" | "file">) =>
  shown.clearings.length === 0 ? null : <Clearings {...shown} />;
