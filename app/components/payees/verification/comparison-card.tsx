import { type ReactNode, useId } from "react";
import { cx } from "~/components/cx";
import { Badge, type Tone, toneText } from "~/components/ui/badge";
import { Callout } from "~/components/ui/callout";
import { Icon, type IconName } from "~/components/ui/icons";
import { ScoreFigure, ScoreLine } from "~/components/ui/score-figure";
import type { MarkedNames, Reason } from "~/modules/name-match/index";
import type { ComparedRow, SubmittedDetails, VerifiedDetails } from "~/modules/verifying/review/review-known";
import { DifferenceList } from "./difference-list";
import { MarkedName } from "./marked-name";

export interface ComparisonCardProps {
  submitted: SubmittedDetails;
  /** What the source gave; null while there is nothing. */
  verified: VerifiedDetails | null;
  rows: readonly ComparedRow[];
  /** The comparison of the two names; null when there is nothing to compare. */
  match: { score: number; reasons: readonly Reason[]; names: MarkedNames } | null;
  /** Something speaks against paying: the score is a line, not a figure. */
  isRed: boolean;
  /** Advice about a low score; null where it does not help. */
  nameNote: string | null;
  /** What the check says; the page's one source of sentences makes it. */
  answer: { tone: Tone; icon: IconName; title: string; fact: string; next: string | null };
  /** Stands in a cell where the bank gave nothing. */
  absent: string;
  /** Where the verified details come from: "Payee's consent at their bank", with the time. */
  source: string | null;
  /** The check with the bank: start it, or try again. */
  checkAction?: ReactNode;
}

/** What was typed and what the bank says, side by side: the page a reviewer decides on. */
export function ComparisonCard(props: ComparisonCardProps) {
  const { submitted, verified, rows, match, nameNote, absent, source } = props;
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="h-fit min-w-0 overflow-clip rounded-base bg-surface shadow-rest border border-line"
    >
      <CheckAnswer {...props} titleId={titleId} />
      <ComparisonTable submitted={submitted} verified={verified} rows={rows} names={match?.names} absent={absent} />
      {match && <ScoreReasons match={match} nameNote={nameNote} isRed={props.isRed} />}
      {source && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-5 py-3 text-ink-soft text-sm sm:px-6">
          <Badge tone="neutral" icon="bank">
            Source
          </Badge>
          {source}
        </div>
      )}
    </section>
  );
}

type CheckAnswerProps = Pick<ComparisonCardProps, "answer" | "checkAction"> & { titleId: string };

/** What the bank answered, in a line; the verdict above says what to do. */
function CheckAnswer({ answer, checkAction, titleId }: CheckAnswerProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-3 sm:px-6">
      <div className="flex min-w-0 flex-1 basis-72 gap-2.5">
        <Icon name={answer.icon} className={cx("mt-0.5 size-5", toneText[answer.tone])} />
        <div className="min-w-0">
          <h2 id={titleId} className="font-semibold text-md">
            {answer.title}
          </h2>
          <p className="max-w-[60ch] text-base text-ink-soft">{answer.fact}</p>
          {answer.next && <p className="mt-1 max-w-[60ch] text-base">{answer.next}</p>}
        </div>
      </div>
      {checkAction && (
        <div data-screen-only className="flex flex-wrap gap-2">
          {checkAction}
        </div>
      )}
    </div>
  );
}

type ScoreReasonsProps = Pick<ComparisonCardProps, "nameNote" | "isRed"> & {
  match: NonNullable<ComparisonCardProps["match"]>;
};

/** The score, its word and why: folded, because the verdict has weighed it. */
function ScoreReasons({ match, nameNote, isRed }: ScoreReasonsProps) {
  return (
    <details className="group/score border-line border-t">
      <summary className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 px-5 py-2 hover:bg-sunken sm:px-6">
        <span className="font-medium text-base">Score and why</span>
        <span className="flex items-center gap-2">
          <ScoreLine score={match.score} />
          <Icon name="chevronDown" className="size-4 text-ink-soft group-open/score:rotate-180" />
        </span>
      </summary>
      <div className="flex flex-wrap items-start justify-between gap-4 px-5 pb-5 sm:px-6">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="mb-2 font-medium text-base">Why this score</h3>
          <DifferenceList reasons={match.reasons} />
        </div>
        {!isRed && <ScoreFigure score={match.score} />}
        {nameNote && (
          <Callout tone="warning" title="Name difference">
            {nameNote}
          </Callout>
        )}
      </div>
    </details>
  );
}

interface ComparisonTableProps {
  rows: readonly ComparedRow[];
  submitted: SubmittedDetails;
  verified: VerifiedDetails | null;
  /** The two names with their differences marked, where both are there to compare. */
  names: MarkedNames | undefined;
  /** Stands in a cell where there is no answer at all. */
  absent: string;
}

/** The two columns of the comparison card. */
function ComparisonTable({ submitted, verified, rows, names, absent: nothing }: ComparisonTableProps) {
  const absent = <Absent>{verified ? "Not given" : nothing}</Absent>;
  return (
    <table className="w-full table-fixed border-line border-t text-left max-sm:block">
      <caption className="sr-only">Submitted details beside verified details</caption>
      <thead className="text-ink-soft text-sm max-sm:hidden">
        <tr className="bg-sunken">
          <td className="w-36 py-1.5" />
          <th scope="col" className="border-line border-l px-6 py-1.5 font-medium">
            Submitted details
          </th>
          <th scope="col" className="border-line border-l px-6 py-1.5 font-medium">
            Verified details
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-line sm:border-t max-sm:block">
        <ComparisonRow
          prominent
          label="Account name"
          submitted={names ? <MarkedName stretches={names.submitted} /> : submitted.accountName}
          verified={
            verified?.accountName ? (
              <VerifiedName {...verified} accountName={verified.accountName} names={names} />
            ) : (
              absent
            )
          }
          verdict={null}
        />
        {rows.map(({ label, verdict, ...row }) => (
          <ComparisonRow
            key={label}
            label={label}
            submitted={row.submitted ?? <Absent>Unknown BSB</Absent>}
            verified={row.verified ?? absent}
            verdict={verdict}
          />
        ))}
      </tbody>
    </table>
  );
}

type VerifiedNameProps = { accountName: string; otherHolders?: readonly string[]; names: MarkedNames | undefined };

function VerifiedName({ accountName, otherHolders = [], names }: VerifiedNameProps) {
  return (
    <>
      {names ? <MarkedName stretches={names.held} /> : accountName}
      {otherHolders.length > 0 && <span className="block text-ink-soft text-sm">with {otherHolders.join(", ")}</span>}
    </>
  );
}

interface ComparisonRowProps {
  label: string;
  submitted: ReactNode;
  verified: ReactNode;
  verdict: ComparedRow["verdict"];
  /** The name: larger, and judged by its score, not by this row. */
  prominent?: boolean;
}

/** One line of the comparison. Below 640 px the two names are under each other, letter below letter, and shorter values side by side. */
function ComparisonRow({ label, submitted, verified, verdict, prominent }: ComparisonRowProps) {
  const line = prominent ? "text-lg" : "figures text-md";
  const cell = "border-line py-2 align-top max-sm:p-0 sm:border-l sm:px-6";
  return (
    <tr
      className={cx(
        "max-sm:grid max-sm:gap-x-4 max-sm:gap-y-2 max-sm:px-5 max-sm:py-4",
        !prominent && "max-sm:grid-cols-2 max-sm:[&>th]:col-span-2",
      )}
    >
      <th
        scope="row"
        className={cx(
          "py-2 align-top font-normal text-base text-ink-soft max-sm:p-0 sm:pl-6",
          prominent && "sm:pt-2.5",
        )}
      >
        {label}
      </th>
      <td className={cell}>
        <StackLabel>Submitted</StackLabel>
        <span className={cx("block", line)}>{submitted}</span>
      </td>
      <td className={cell}>
        <StackLabel>Verified</StackLabel>
        <span className={cx("flex flex-wrap items-start justify-between gap-x-4", line)}>
          <span className="min-w-0">{verified}</span>
          {verdict && <Verdict same={verdict.same}>{verdict.word}</Verdict>}
        </span>
      </td>
    </tr>
  );
}

function Verdict({ same, children }: { same: boolean; children: string }) {
  return (
    <span
      className={cx(
        "inline-flex h-[1.5625rem] items-center gap-1 font-medium text-sm",
        same ? "text-verified" : "text-review",
      )}
    >
      <Icon name={same ? "equals" : "notEquals"} className="size-4" />
      {children}
    </span>
  );
}

function StackLabel({ children }: { children: string }) {
  return <span className="block text-ink-soft text-xs sm:hidden">{children}</span>;
}

/** A value the bank did not give. */
function Absent({ children = "Not given" }: { children?: string }) {
  return <span className="text-base text-ink-soft">{children}</span>;
}
