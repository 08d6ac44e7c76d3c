import { type ReactNode, useId } from "react";
import { cx } from "~/components/cx";
import { ComparisonTable } from "~/components/payees/verification/comparison-table";
import { DifferenceList } from "~/components/payees/verification/difference-list";
import { Badge, type Tone, toneWash } from "~/components/ui/badge";
import { Callout } from "~/components/ui/callout";
import { Icon, type IconName } from "~/components/ui/icons";
import { ScoreFigure, ScoreLine } from "~/components/ui/score-figure";
import type { MarkedNames, Reason } from "~/modules/name-match";
import type { ComparedRow, SubmittedDetails, VerifiedDetails } from "~/modules/verifying/review/comparison.view";

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
      {match && <ScoreReasons match={match} nameNote={nameNote} />}
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

type CheckAnswerProps = Pick<ComparisonCardProps, "answer" | "checkAction" | "match" | "isRed"> & { titleId: string };

function CheckAnswer({ answer, checkAction, match, isRed, titleId }: CheckAnswerProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 px-5 py-5 sm:px-6">
      <div className="flex min-w-0 flex-1 basis-72 gap-3.5">
        <span className={cx("grid size-10 shrink-0 place-items-center rounded-full border", toneWash[answer.tone])}>
          <Icon name={answer.icon} className="size-5.5" />
        </span>
        <div className="min-w-0">
          <h2 id={titleId} className="display mt-0.5 text-2xl">
            {answer.title}
          </h2>
          <p className="mt-1 max-w-[52ch] text-base text-ink-soft">{answer.fact}</p>
          {answer.next && <p className="mt-1 max-w-[52ch] text-base">{answer.next}</p>}
          {match && isRed && <ScoreLine score={match.score} />}
          {checkAction && (
            <div data-screen-only className="mt-3.5 flex flex-wrap gap-2">
              {checkAction}
            </div>
          )}
        </div>
      </div>
      {match && !isRed && <ScoreFigure score={match.score} />}
    </div>
  );
}

type ScoreReasonsProps = { match: NonNullable<ComparisonCardProps["match"]>; nameNote: string | null };

function ScoreReasons({ match, nameNote }: ScoreReasonsProps) {
  return (
    <div className="grid gap-4 border-line border-t px-5 py-5 sm:px-6">
      <div>
        <h3 className="mb-2 font-medium text-base">Why this score</h3>
        <DifferenceList reasons={match.reasons} />
      </div>
      {nameNote && (
        <Callout tone="warning" title="Name difference">
          {nameNote}
        </Callout>
      )}
    </div>
  );
}
