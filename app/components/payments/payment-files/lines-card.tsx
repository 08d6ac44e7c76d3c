import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { approvalIn, PasskeyApproval } from "~/components/accounts/identity/passkey-approval";
import { Textarea, tickClass } from "~/components/forms/fields";
import { type FormAnswer, HiddenFields, PostForm, SubmitButton, useFormContext } from "~/components/forms/form";
import { ListCard } from "~/components/tables/list-card";
import { CellNote, type Column, Table } from "~/components/tables/table";
import { Button, Icon, linkClass } from "~/components/ui/elements";
import { EmptyState } from "~/components/ui/empty-state";
import { Amount, Bsb, Masked } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import type { FilePage } from "~/modules/payments/payment-files/file-page.server";
import {
  groupByReason,
  isTickable,
  LINE_TAB_LABELS,
  type LineRow,
  type LineTab,
  linesHref,
} from "~/modules/payments/payment-files/payment-file";

const TABS: readonly LineTab[] = ["held", "authorised", "rejected", "all"];

interface LinesCardProps {
  page: FilePage;
  submissionId: string;
  answer?: FormAnswer;
}

/** The lines of a file, and the possible decisions. */
export function LinesCard({ page, submissionId, answer }: LinesCardProps) {
  const { file, single, tab, canDecide, rule, payeeId } = page;
  const lines = page.lines.filter(({ line }) => line !== single?.line.line);
  const counts: Record<LineTab, number> = {
    held: file.heldCount,
    authorised: file.authorisedCount,
    rejected: file.rejectedCount,
    all: file.lineCount,
  };
  const decidesAll = rule !== null || payeeId !== null;
  const canTick = canDecide && !decidesAll && single === null && lines.some((line) => isTickable(line));
  const decideHref = (line: number) =>
    linesHref(file.id, { tab, rule: rule ?? undefined, payeeId: payeeId ?? undefined, after: page.after, line });
  const columns = columnsOf(canTick ? tickedIn(answer, page) : null, canDecide ? decideHref : null);
  return (
    <ListCard
      id="lines"
      label="Lines"
      caption="Lines of the payment file"
      rows={lines}
      keyOf={({ line }) => line}
      columns={columns}
      filters={{
        label: "Lines",
        items: TABS.map((each) => ({
          label: LINE_TAB_LABELS[each],
          to: linesHref(file.id, { tab: each }),
          current: each === tab && !decidesAll,
          count: formatCount(counts[each]),
        })),
      }}
      around={(table) => (
        <>
          {single && <DecideOne {...single} page={page} submissionId={submissionId} answer={answer} />}
          {canDecide && decidesAll && !single && <DecideAll page={page} submissionId={submissionId} answer={answer} />}
          {page.lines.length === 0 && (
            <EmptyState
              icon="checkCircle"
              mood="done"
              title={tab === "held" ? "No payment is held" : "No payments here"}
            />
          )}
          {lines.length > 0 && (
            <PostForm answer={answer} summary={false}>
              {tab === "held" && !decidesAll ? (
                <Groups page={page} lines={lines} canTick={canTick} columns={columns} />
              ) : (
                table
              )}
              {canTick && (
                <div className="lines-decision border-line border-t bg-surface px-5 py-4">
                  <HiddenFields values={{ submissionId }} />
                  {page.approvalBar && <p className="mb-4 max-w-[70ch] text-base">{page.approvalBar}</p>}
                  <DecisionFields
                    approves={page.approvalBar ? undefined : "Approve the ticked payments"}
                    rejects="Reject the ticked payments"
                  />
                </div>
              )}
            </PostForm>
          )}
        </>
      )}
      pager={{ previousHref: page.firstHref, nextHref: page.nextHref }}
    />
  );
}

/** The boxes that were ticked in a refused form; otherwise those of the reasons in the address. */
function tickedIn(answer: FormAnswer | undefined, { lines, tick }: Pick<FilePage, "lines" | "tick">): string[] {
  const kept = answer?.extra?.line;
  if (Array.isArray(kept)) return kept.map(String);
  const groups = groupByReason(lines).filter(({ rule }) => tick.includes(rule));
  return groups.flatMap((group) => group.lines.filter(isTickable).map(({ line }) => String(line)));
}

interface GroupsProps {
  page: FilePage;
  lines: readonly Line[];
  canTick: boolean;
  columns: Column<Line>[];
}

/** The held lines by reason, each with its sentence; the lines of one reason can be ticked together. */
function Groups({ page, lines, canTick, columns }: GroupsProps) {
  const { file, reasons, tab, tick, after, firstHref, nextHref } = page;
  const isPart = firstHref !== undefined || nextHref !== undefined;
  return groupByReason(lines).map(({ rule, lines: held, cents, tickable }) => {
    const label = reasons.find((reason) => reason.rule === rule)?.label ?? "Held";
    const isTicked = tick.includes(rule);
    const others = tick.filter((each) => each !== rule);
    return (
      <section
        key={rule}
        aria-label={label}
        className="not-first-of-type:[&_th]:border-0 not-first-of-type:[&_th]:py-0 not-first-of-type:[&_th]:text-[0px]/0"
      >
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-line border-t px-5 py-3">
          <h2 className="font-semibold text-base">
            {label}.{" "}
            <span className="figures font-normal text-ink-soft">
              {formatCount(held.length, "payment")}, <Amount cents={cents} />
              {isPart && " on this page"}
            </span>
          </h2>
          {canTick && tickable > 0 ? (
            <Link
              to={linesHref(file.id, { tab, after, tick: isTicked ? others : [...tick, rule] })}
              preventScrollReset
              className="text-accent-text text-base underline underline-offset-2 print:hidden"
            >
              {isTicked ? "Untick" : tickable === 1 ? "Tick this one" : `Tick all ${tickable}`}
              <span className="sr-only">: {label}</span>
              {tickable < held.length && `, ${held.length - tickable} one by one`}
            </Link>
          ) : (
            canTick && <span className="text-ink-soft text-sm">Decided one by one</span>
          )}
        </div>
        <Table caption={label} rows={held} columns={columns} keyOf={({ line }) => `${line} ${isTicked}`} fixed />
      </section>
    );
  });
}

/** The account that a line pays; a bill whose supplier is not a payee has none. */
function LineAccount({ line }: { line: Pick<LineRow, "bsb" | "maskedAccountNumber"> }) {
  if (line.bsb === "") return <>No account</>;
  return (
    <>
      <Bsb value={line.bsb} /> <Masked value={line.maskedAccountNumber} />
    </>
  );
}

function DecideOne({ page, line, listHref, submissionId, answer }: LinesCardProps & NonNullable<FilePage["single"]>) {
  const bar = page.approvalBar ?? (line.bsb === "" ? NO_ACCOUNT : line.isOwnWork ? OWN_WORK : null);
  return (
    <section aria-labelledby="decide-heading" id="decide" className="border-line border-y bg-sunken px-5 py-5">
      <h2 id="decide-heading" className="font-semibold text-md">
        Line {line.line}: {line.accountName}, {formatAud(line.amount)}
      </h2>
      <p className="mb-4 text-base text-ink-soft">
        <LineAccount line={line} />, reference {line.reference}.{" "}
        <Link to={listHref} className="text-accent-text underline underline-offset-2">
          Back to the list
        </Link>
      </p>
      <div className="mb-4 grid max-w-[70ch] gap-1.5 text-base">
        <Findings line={line} />
        {bar && <p>{bar}</p>}
      </div>
      <PostForm answer={answer} summary={false} key={line.line}>
        <HiddenFields values={{ submissionId, line: line.line }} />
        <DecisionFields approves={bar ? undefined : "Approve this payment"} rejects="Reject this payment" isDoubtful />
      </PostForm>
    </section>
  );
}

function DecideAll({ page, submissionId, answer }: LinesCardProps) {
  const { file, rule, payeeId, ruleName, reasons, payees } = page;
  const reason = reasons.find((each) => each.rule === rule);
  const payee = payees.find((each) => each.payeeId === payeeId);
  const { count: held, togetherCount: together } = reason ?? payee ?? { count: 0, togetherCount: 0 };
  if (held === 0) return null;
  const what = reason
    ? `Held for: ${ruleName}.`
    : `${held === 1 ? "The held payment" : `The ${held} held payments`} to ${payee?.name}.`;
  if (together === 0) return <OneByOne what={what} count={held} />;
  const only = reason ? reason.onlyCount : together;
  const mayApprove = only > 0 && page.approvalBar === null;
  return (
    <PostForm answer={answer} summary={false} className="border-line border-y bg-sunken px-5 py-5">
      <HiddenFields values={{ submissionId, rule, payeeId }} />
      <p className="mb-4 max-w-[70ch] text-base">
        {what} {reason && `Approving authorises the ${only} that no other reason holds. `}
        {together === held
          ? `Rejecting applies to all ${held}. `
          : `Rejecting applies to ${together}; the other ${held - together} are decided one by one, below. `}
        <Link to={linesHref(file.id, { tab: "held" })} className="text-accent-text underline underline-offset-2">
          Decide one by one instead
        </Link>
      </p>
      {page.approvalBar && <p className="mb-4 max-w-[70ch] text-base">{page.approvalBar}</p>}
      <DecisionFields approves={mayApprove ? `Approve ${only}` : undefined} rejects={`Reject ${together}`} />
    </PostForm>
  );
}

/** Shown instead of a decision about all of them. */
const OneByOne = ({ what, count }: { what: string; count: number }) => (
  <div className="border-line border-y bg-sunken px-5 py-5">
    <p className="max-w-[70ch] text-base">
      {what} {count === 1 ? "It is" : "Each of them is"} decided on its own, with its own reason: choose Decide beside
      the line.
    </p>
  </div>
);

type Line = FilePage["lines"][number];

/** Where a row is a card, its number alone would say nothing. */
const LineNumber = ({ line }: { line: Line }) => (
  <span className="figures">
    <span className="wide:sr-only print:sr-only">Line </span>
    {line.line}
  </span>
);

/** @param ticked null: no tick boxes @param decideHref leads to deciding one line; null: none can be decided */
const columnsOf = (ticked: string[] | null, decideHref: ((line: number) => string) | null): Column<Line>[] => [
  {
    head: "Line",
    width: "wide:w-[8%]",
    cell: (line) =>
      ticked && isTickable(line) ? (
        <label className="flex min-h-6 items-center gap-2">
          <input
            type="checkbox"
            name="line"
            value={line.line}
            defaultChecked={ticked.includes(String(line.line))}
            className={tickClass}
          />
          <LineNumber line={line} />
        </label>
      ) : (
        <LineNumber line={line} />
      ),
  },
  {
    head: "Paid to",
    width: "wide:w-[20%]",
    cell: (line) => (
      <>
        {line.payeeId ? (
          <Link to={appPaths.payee(line.payeeId)} className="font-medium hover:text-accent-text">
            {line.accountName}
          </Link>
        ) : (
          <span className="font-medium">{line.accountName}</span>
        )}
        <CellNote>
          <LineAccount line={line} />
        </CellNote>
      </>
    ),
  },
  { head: "Reference", cell: ({ reference }) => <span className="break-words">{reference}</span> },
  { head: "Amount", align: "right", cell: ({ amount }) => <Amount cents={amount} /> },
  {
    head: "Decision",
    name: null,
    width: "wide:w-[48%]",
    classOf: () => "narrow:pt-2",
    cell: (line) => (
      <LineDecision line={line} decideHref={line.isDecidedIndividually ? decideHref?.(line.line) : undefined} />
    ),
  },
];

const NO_ACCOUNT = "This bill has no account to pay to, so no one can approve it here. You can reject it.";
const OWN_WORK =
  "This is your own work: you entered the payee's bank details or asked for its verification. Another person has to approve it.";

/** A finding against the account itself. */
const Grave = ({ children }: { children: ReactNode }) => (
  <p className="text-review">
    <Icon name="flag" className="mr-1.5 mb-0.5 inline size-4" />
    {children}
  </p>
);

/** Why the line is held, most serious reason first, and what is known about its account. */
function Findings({ line }: { line: Line }) {
  const { reasons, bank, news, verified } = line;
  return (
    <>
      {news && <Grave>Since the file was checked: {news}</Grave>}
      {reasons.map(({ rule, level, message, isGrave, link }) =>
        isGrave ? (
          <Grave key={rule + message}>{message}</Grave>
        ) : (
          <p key={rule + message} className={level === "hold" ? undefined : "text-ink-soft"}>
            {level === "warn" && "Warning: "}
            {message}{" "}
            {link && (
              <Link to={link.to} className={linkClass}>
                {link.label}
              </Link>
            )}
          </p>
        ),
      )}
      {bank && <p className="text-ink-soft text-sm">{bank}</p>}
      {verified && <p className="text-ink-soft text-sm">{verified}</p>}
    </>
  );
}

function LineDecision({ line, decideHref }: { line: Line; decideHref: string | undefined }) {
  const { status, decidedBy, decidedAt, decisionReason, paymentId, paymentStatus, nextStep } = line;
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
      <Findings line={line} />
      {line.isOwnWork && status === "held" && <p className="text-ink-soft text-sm">{OWN_WORK}</p>}
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
      {decideHref && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button to={decideHref} variant="secondary" size="sm">
            Decide<span className="sr-only"> line {line.line}</span>
          </Button>
          <span className="text-ink-soft text-sm">Decided on its own, with its own reason.</span>
        </div>
      )}
    </div>
  );
}

interface DecisionFieldsProps {
  /** The words of the approve button; absent: nothing can be approved. */
  approves?: string;
  rejects: string;
  /** There is a warning, so the page does not highlight approval. */
  isDoubtful?: boolean;
}

/** The reason field and the two decision buttons. */
function DecisionFields({ approves, rejects, isDoubtful }: DecisionFieldsProps) {
  const approval = approvalIn(useFormContext().answer);
  return (
    <div className="grid gap-4">
      <Textarea
        name="reason"
        label="Reason"
        hint="It stays with each payment and in the audit trail."
        required
        rows={2}
        maxLength={500}
      />
      {approves && approval && <PasskeyApproval approval={approval} name="intent" value="approve" />}
      <div className="flex flex-wrap gap-3">
        {approves && !approval && (
          <SubmitButton
            name="intent"
            value="approve"
            variant={isDoubtful ? "secondary" : undefined}
            icon="check"
            pendingText="Approving..."
          >
            {approves}
          </SubmitButton>
        )}
        <SubmitButton name="intent" value="reject" variant="danger" icon="x" pendingText="Rejecting...">
          {rejects}
        </SubmitButton>
      </div>
    </div>
  );
}
