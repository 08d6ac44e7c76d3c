import { tickClass } from "~/components/forms/fields";
import { RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
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

interface PendingTableProps {
  rows: readonly PendingRow[];
  /** What narrows and sorts the list; the links to its items keep it. */
  view: QueueView & { order: QueueOrder };
  /** Rows have more space. */
  isRoomy: boolean;
  /** Ids that were ticked; null: this person cannot act on rows. */
  ticked: readonly string[] | null;
}

/** The review queue as a table (specification, section 2), one line for each verification. */
export function PendingTable({ rows, view, isRoomy, ticked }: PendingTableProps) {
  const { order } = view;
  const byDate = pendingHref({ ...view, order: order === "newest" ? "oldest" : "newest" });
  return (
    <Table
      caption="Pending verifications"
      fixed
      dense={!isRoomy}
      head={
        <>
          <Th width="lg:w-[14%] xl:w-[15.5%]">Payee</Th>
          <Th width="lg:w-[13.5%] xl:w-[15%]">Account Details</Th>
          <Th width="lg:w-[11.5%] xl:w-[11%]">Match Type</Th>
          <Th
            width="lg:w-[19.5%] xl:w-[17%]"
            sortHref={pendingHref({ ...view, order: "risk" })}
            sorted={order === "risk" ? "descending" : undefined}
          >
            State
          </Th>
          <Th width="lg:w-[11%] xl:w-[9.5%]" align="right">
            Held
          </Th>
          <Th>Requested By</Th>
          <Th width="lg:w-[8.5%]">Assigned To</Th>
          <Th
            width="lg:w-[6%]"
            sortHref={byDate}
            sorted={order === "risk" ? undefined : order === "oldest" ? "ascending" : "descending"}
          >
            Date
          </Th>
          <Th width="lg:w-[8%]" align="right">
            Actions
          </Th>
        </>
      }
    >
      {rows.map((row) => (
        <PendingLine
          key={row.id}
          row={row}
          href={reviewHref(row.id, view)}
          tick={ticked && { isTicked: ticked.includes(row.id) }}
        />
      ))}
    </Table>
  );
}

const LINE = "block lg:truncate lg:leading-8";

interface PendingLineProps {
  row: PendingRow;
  href: string;
  /** Null: no box. */
  tick: { isTicked: boolean } | null;
}

function PendingLine({ row, href, tick }: PendingLineProps) {
  const { requestedBy } = row;
  return (
    <Tr isRed={row.verdict.isRed}>
      <Td>
        <span className="flex items-center gap-3">
          {tick && (
            <input
              type="checkbox"
              name="id"
              value={row.id}
              defaultChecked={tick.isTicked}
              aria-label={`Tick ${row.payeeName}`}
              className={`${tickClass} above-line`}
            />
          )}
          <span className={`min-w-0 ${LINE}`} title={row.payeeName}>
            <RowLink to={href}>{row.payeeName}</RowLink>
          </span>
        </span>
      </Td>
      <Td label="Account Details">
        <span className={LINE} title={row.accountName}>
          <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />{" "}
          <span className="text-ink-soft">{row.accountName}</span>
        </span>
      </Td>
      <Td label="Match Type">
        <span className={LINE}>
          <MatchTypeLabel matchType={row.matchType} score={row.nameMatchScore} />
        </span>
      </Td>
      <Td label="State">
        <RowState row={row} />
      </Td>
      <Td label="Held" align="right">
        <span className={LINE}>{row.heldCents > 0 ? <Amount cents={row.heldCents} /> : <Dash word="None" />}</span>
      </Td>
      <Td label="Requested By">
        <span className={LINE} title={requestedBy?.email}>
          {requestedBy ? requestedBy.name : "System"}
          {requestedBy && <span className="text-ink-soft"> {requestedBy.email}</span>}
        </span>
      </Td>
      <Td label="Assigned To">
        <span className={LINE} title={row.assignedTo ?? undefined}>
          {row.assignedTo ?? <Dash word="Not assigned" />}
        </span>
      </Td>
      <Td label="Date">
        <span className={`figures ${LINE}`}>
          <time dateTime={row.createdAt.dateTime} title={row.createdAt.exact}>
            {row.age}
          </time>
        </span>
      </Td>
      <Td actions>
        <Button to={href} variant="secondary" size="sm" aria-label={`Review ${row.payeeName}`}>
          Review
        </Button>
      </Td>
    </Tr>
  );
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
    <span className="flex min-h-8 flex-col items-start justify-center max-lg:gap-0.5 lg:-my-1">
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
        <VerdictBadge verdict={row.verdict} />
        {row.waiting && <span className="figures whitespace-nowrap text-ink-soft">{row.waiting}</span>}
      </span>
      {row.verdict.change && <ChangeMark change={row.verdict.change} />}
    </span>
  );
}
