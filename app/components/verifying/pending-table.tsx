import { tickClass } from "~/components/forms/fields";
import { type Column, RowLink } from "~/components/tables/table";
import { Badge, type Tone } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Amount, Bsb, Masked } from "~/components/ui/digits";
import type { IconName } from "~/components/ui/icons";
import type { QueueOrder } from "~/kernel/enums";
import type { MatchType } from "~/modules/name-match/index";
import { pendingHref, type QueueView, reviewHref } from "~/modules/verifying/review/pending-address";
import type { QueuePageData } from "./queue-page";
import { ChangeMark, VerdictBadge } from "./verdict-badge";

type PendingRow = QueuePageData["rows"][number];

const LOOKS: Record<MatchType, { tone: Tone; icon: IconName; word: string }> = {
  exact: { tone: "verified", icon: "checkCircle", word: "Exact" },
  fuzzy: { tone: "pending", icon: "notEquals", word: "Fuzzy" },
  none: { tone: "review", icon: "flag", word: "No match" },
};

interface MatchTypeLabelProps {
  /** Null: nothing was compared yet. */
  matchType: MatchType | null;
  /** Null: the bank answered without a name to compare. */
  score: number | null;
}

/** How the two names compare, with the score as a rounded percentage where there is one. */
function MatchTypeLabel({ matchType, score }: MatchTypeLabelProps) {
  if (matchType === null) return <span className="text-ink-soft">Not compared</span>;
  const { tone, icon, word } = LOOKS[matchType];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
      {score !== null && <span className="figures pl-0.5 font-normal">{Math.round(score)}%</span>}
    </Badge>
  );
}

const LINE = "block wide:truncate wide:leading-8";

/**
 * The review queue as a table (specification, section 2), one line for each verification.
 * @param view what narrows and sorts the list; the links to its items keep it
 * @param ticked ids that were ticked; null: this person cannot act on rows
 * @param firstId whose box the sentence that nothing is ticked leads to
 */
export function pendingColumns(
  view: QueueView & { order: QueueOrder },
  ticked: readonly string[] | null,
  firstId: string | undefined,
): Column<PendingRow>[] {
  const { order } = view;
  return [
    {
      head: "Payee",
      width: "lg:w-[17%] xl:w-[20.5%]",
      cell: (row) => (
        <span className="flex items-center gap-2">
          {ticked && (
            <input
              type="checkbox"
              id={row.id === firstId ? "bulk-id" : undefined}
              name="id"
              value={row.id}
              defaultChecked={ticked.includes(row.id)}
              aria-label={`Tick ${row.payeeName}`}
              className={`${tickClass} above-line`}
            />
          )}
          <span className={`min-w-0 ${LINE}`} title={row.payeeName}>
            <RowLink to={reviewHref(row.id, view)}>{row.payeeName}</RowLink>
          </span>
        </span>
      ),
    },
    {
      head: "Account Details",
      width: "lg:w-[13%] xl:w-[12%]",
      cell: (row) => (
        <span className={LINE} title={row.accountName}>
          <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />{" "}
          <span className="text-ink-soft">{row.accountName}</span>
        </span>
      ),
    },
    {
      head: "Match Type",
      width: "lg:w-[11.5%] xl:w-[11%]",
      cell: (row) => (
        <span className={LINE}>
          <MatchTypeLabel matchType={row.matchType} score={row.nameMatchScore} />
        </span>
      ),
    },
    {
      head: "State",
      width: "lg:w-[18%] xl:w-[16.5%]",
      sortHref: pendingHref({ ...view, order: "risk" }),
      sorted: order === "risk" ? "descending" : undefined,
      cell: (row) => <RowState row={row} />,
    },
    {
      head: "Held",
      width: "lg:w-[10%] xl:w-[8.5%]",
      align: "right",
      cell: ({ heldCents }) => (
        <span className={LINE}>{heldCents > 0 ? <Amount cents={heldCents} /> : <Dash word="None" />}</span>
      ),
    },
    {
      head: "Requested By",
      width: "lg:w-[8%] xl:w-[9%]",
      cell: ({ requestedBy }) => (
        <span className={LINE} title={requestedBy?.email}>
          {requestedBy ? requestedBy.name : "System"}
          {requestedBy && <span className="text-ink-soft"> {requestedBy.email}</span>}
        </span>
      ),
    },
    {
      head: "Assigned To",
      width: "lg:w-[8.5%]",
      cell: ({ assignedTo }) => (
        <span className={LINE} title={assignedTo ?? undefined}>
          {assignedTo ?? <Dash word="Not assigned" />}
        </span>
      ),
    },
    {
      head: "Date",
      width: "lg:w-[6%] xl:w-[5.5%]",
      sortHref: pendingHref({ ...view, order: order === "newest" ? "oldest" : "newest" }),
      sorted: order === "risk" ? undefined : order === "oldest" ? "ascending" : "descending",
      cell: (row) => (
        <span className={`figures ${LINE}`}>
          <time dateTime={row.createdAt.dateTime} title={row.createdAt.exact}>
            {row.age}
          </time>
        </span>
      ),
    },
    {
      head: "Actions",
      width: "lg:w-[8%]",
      align: "right",
      actions: true,
      hidden: false,
      cell: (row) => (
        <Button to={reviewHref(row.id, view)} variant="secondary" size="sm" aria-label={`Review ${row.payeeName}`}>
          Review
        </Button>
      ),
    },
  ];
}

function Dash({ word }: { word: string }) {
  return (
    <span className="text-ink-soft">
      <span aria-hidden="true">-</span>
      <span className="sr-only">{word}</span>
    </span>
  );
}

function RowState({ row }: { row: PendingRow }) {
  return (
    <span className="flex min-h-8 flex-col items-start justify-center narrow:gap-0.5 wide:-my-1">
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
        <VerdictBadge verdict={row.verdict} />
        {row.waiting && <span className="figures whitespace-nowrap text-ink-soft">{row.waiting}</span>}
      </span>
      {row.verdict.change && <ChangeMark change={row.verdict.change} />}
    </span>
  );
}
