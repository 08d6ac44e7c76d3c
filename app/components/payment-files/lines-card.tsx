import { Link } from "@remix-run/react";
import { tickClass } from "~/components/forms/checkbox";
import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { FilterTabs } from "~/components/tables/filter-tabs";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Card } from "~/components/ui/card";
import { Amount, Bsb, Masked } from "~/components/ui/digits";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { StatusBadge } from "~/components/ui/status-badge";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { FilePage } from "~/modules/payment-files/file-page.view";
import { LINE_TAB_LABELS, type LineRow, type LineTab, linesHref } from "~/modules/payment-files/payment-file.view";
import { DecisionFields } from "./decision-fields";

const TABS: readonly LineTab[] = ["held", "authorised", "rejected", "all"];

interface LinesCardProps {
  page: FilePage;
  submissionId: string;
  answer?: FormAnswer;
}

/** The lines of a file, and what may be decided about them. */
export function LinesCard({ page, submissionId, answer }: LinesCardProps) {
  const { file, lines, tab, canDecide, rule, payeeId } = page;
  const counts: Record<LineTab, number> = {
    held: file.heldCount,
    authorised: file.authorisedCount,
    rejected: file.rejectedCount,
    all: file.lineCount,
  };
  const decidesAll = rule !== null || payeeId !== null;
  const canTick = canDecide && !decidesAll && lines.some((line) => isTickable(line));
  return (
    <Card flush id="lines">
      <div className="px-5 py-4">
        <FilterTabs
          label="Lines"
          items={TABS.map((each) => ({
            label: LINE_TAB_LABELS[each],
            to: linesHref(file.id, { tab: each }),
            current: each === tab && !decidesAll,
            count: counts[each].toLocaleString("en-AU"),
          }))}
        />
      </div>
      {canDecide && decidesAll && <DecideAll page={page} submissionId={submissionId} answer={answer} />}
      {lines.length === 0 ? (
        <EmptyState icon="checkCircle" mood="done" title={tab === "held" ? "No payment is held" : "No payments here"} />
      ) : (
        <Form method="post" noValidate>
          <LinesTable lines={lines} ticked={canTick ? tickedIn(answer) : null} />
          {canTick && (
            <div className="border-line border-t px-5 py-5">
              <HiddenFields values={{ submissionId }} />
              {page.approvalBar && <p className="mb-4 max-w-[70ch] text-base">{page.approvalBar}</p>}
              <DecisionFields
                answer={answer}
                approves={page.approvalBar ? undefined : "Approve the ticked payments"}
                rejects="Reject the ticked payments"
              />
            </div>
          )}
        </Form>
      )}
      <Pagination label="Lines" previousHref={page.firstHref} nextHref={page.nextHref} />
    </Card>
  );
}

/** The boxes that were ticked in a form that was refused. */
const tickedIn = (answer: FormAnswer | undefined) => (answer?.extra?.line ?? []) as string[];

/** A line that was not sent on yet can still be decided. */
const isTickable = ({ status, paymentId }: LineRow) => status !== "rejected" && paymentId === null;

function DecideAll({ page, submissionId, answer }: LinesCardProps) {
  const { file, rule, payeeId, ruleName, reasons, payees } = page;
  const reason = reasons.find((each) => each.rule === rule);
  const payee = payees.find((each) => each.payeeId === payeeId);
  const held = reason?.count ?? payee?.count ?? 0;
  if (held === 0) return null;
  const only = reason ? reason.onlyCount : held;
  const mayApprove = only > 0 && page.approvalBar === null;
  return (
    <Form method="post" noValidate className="border-line border-y bg-sunken px-5 py-5">
      <HiddenFields values={{ submissionId, rule, payeeId }} />
      <p className="mb-4 max-w-[70ch] text-base">
        {reason
          ? `Held for: ${ruleName}. Approving authorises the ${only} that no other reason holds; rejecting takes all ${held}. `
          : `All ${held} held payments to ${payee?.name}. `}
        <Link to={linesHref(file.id, { tab: "held" })} className="text-accent-text underline underline-offset-2">
          Decide singly instead
        </Link>
      </p>
      {page.approvalBar && <p className="mb-4 max-w-[70ch] text-base">{page.approvalBar}</p>}
      <DecisionFields
        answer={answer}
        approves={mayApprove ? `Approve ${only}` : undefined}
        rejects={`Reject ${held}`}
      />
    </Form>
  );
}

interface LinesTableProps {
  lines: FilePage["lines"];
  /** Null: no boxes. */
  ticked: string[] | null;
}

function LinesTable({ lines, ticked }: LinesTableProps) {
  return (
    <Table
      caption="Lines of the payment file"
      head={
        <>
          <Th width="lg:w-[7%]">Line</Th>
          <Th>Paid to</Th>
          <Th>Reference</Th>
          <Th align="right">Amount</Th>
          <Th width="lg:w-[40%]">Decision</Th>
        </>
      }
    >
      {lines.map((line) => (
        <LineCells
          key={line.line}
          line={line}
          tick={ticked && isTickable(line) ? { isTicked: ticked.includes(String(line.line)) } : null}
        />
      ))}
    </Table>
  );
}

interface LineCellsProps {
  line: FilePage["lines"][number];
  /** Null: no box. */
  tick: { isTicked: boolean } | null;
}

function LineCells({ line, tick }: LineCellsProps) {
  return (
    <Tr>
      <Td>
        {tick ? (
          <label className="flex min-h-6 items-center gap-2">
            <input type="checkbox" name="line" value={line.line} defaultChecked={tick.isTicked} className={tickClass} />
            <span className="figures">
              <span className="lg:sr-only">Line </span>
              {line.line}
            </span>
          </label>
        ) : (
          <span className="figures">{line.line}</span>
        )}
      </Td>
      <Td label="Paid to">
        {line.payeeId ? (
          <Link to={appPaths.payee(line.payeeId)} className="font-medium hover:text-accent-text">
            {line.accountName}
          </Link>
        ) : (
          <span className="font-medium">{line.accountName}</span>
        )}
        <CellNote>
          <Bsb value={line.bsb} /> <Masked value={line.maskedAccountNumber} />
        </CellNote>
      </Td>
      <Td label="Reference">
        <span className="break-words">{line.reference}</span>
      </Td>
      <Td label="Amount" align="right">
        <Amount cents={line.amount} />
      </Td>
      <Td label="Decision">
        <LineDecision line={line} />
      </Td>
    </Tr>
  );
}

function LineDecision({ line }: { line: FilePage["lines"][number] }) {
  const { status, reasons, decidedBy, decidedAt, decisionReason, paymentId, paymentStatus, nextStep } = line;
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge of="payment" status={paymentStatus ?? status} />
        {paymentId && (
          <Link to={appPaths.payment(paymentId)} className="text-accent-text text-sm underline underline-offset-2">
            The payment
          </Link>
        )}
      </div>
      {reasons.map((reason) => (
        <p key={reason.rule + reason.message} className={reason.level === "hold" ? undefined : "text-ink-soft"}>
          {reason.level === "warn" && "Warning: "}
          {reason.message}
        </p>
      ))}
      {line.isOwnWork && status === "held" && (
        <p className="text-ink-soft text-sm">
          This is your own work: you entered the payee's bank details here or in the accounting system they came from,
          connected that system, or asked for the verification. Another person has to approve it.
        </p>
      )}
      {decidedAt && (
        <p className="text-ink-soft text-sm">
          {status === "rejected" ? "Rejected" : "Approved"} by {decidedBy ?? "PayeeProof"} on {decidedAt.exact}:{" "}
          {decisionReason}
        </p>
      )}
      {nextStep && (
        <Link to={nextStep.href} className="text-accent-text underline underline-offset-2">
          {nextStep.label}
        </Link>
      )}
    </div>
  );
}
