import { useLocation } from "@remix-run/react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { Select, TextInput, tickClass } from "~/components/forms/fields";
import { Form, type FormAnswer, FormErrorSummary, HiddenFields, PostForm, SubmitButton } from "~/components/forms/form";
import { ListKeys } from "~/components/records/inbox/list-keys-on-demand";
import { ListCard, nothingFoundSoFar } from "~/components/tables/list-card";
import { type Column, RowLink } from "~/components/tables/table";
import { Badge, Button, cx, Icon, type IconName, Link, type Tone } from "~/components/ui/elements";
import type { EmptyStateProps } from "~/components/ui/empty-state";
import { Amount, Bsb, Masked, PageHeader } from "~/components/ui/page-parts";
import { Results } from "~/components/ui/results";
import type { QueueOrder } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import type { MatchType } from "~/modules/name-match";
import type { BulkResult } from "~/modules/verifying/act-on-each.server";
import type { readPendingPage } from "~/modules/verifying/review/pending-page.server";
import { MINE, pendingHref, type QueueView, reviewHref } from "~/modules/verifying/review/verification-list";
import { ChangeMark, VerdictBadge } from "./verdict-badge";

interface SavedViewsProps extends Pick<QueuePageData, "views" | "isRoomy"> {
  /** The address of the present view, which saving stores. */
  here: string;
  answer?: FormAnswer;
}

const hrefOf = (query: string) => `${appPaths.pendingVerifications}${query ? `?${query}` : ""}`;

/** The person's saved views of the queue, a form to save this one, and the row spacing. */
function SavedViews({ views, isRoomy, here, answer }: SavedViewsProps) {
  const { key } = useLocation();
  const refused = answer?.intent === "save-view" ? answer : undefined;
  return (
    <details key={key} open={refused !== undefined} className="group/views relative">
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-1.5 rounded-base border border-control bg-surface px-3 font-medium text-base [&::-webkit-details-marker]:hidden">
        Views
        <Icon name="chevronDown" className="size-4 group-open/views:rotate-180" />
      </summary>
      <div className="absolute right-0 z-20 mt-1 grid w-80 max-w-[calc(100vw-2.5rem)] gap-4 rounded-base border border-line bg-surface p-4 text-base shadow-lift max-sm:right-auto max-sm:left-0">
        {views.length > 0 && (
          <ul aria-label="Saved views" className="grid gap-1">
            {views.map((view) => (
              <li key={view.id} className="flex items-center justify-between gap-2">
                <Link
                  to={hrefOf(view.query)}
                  aria-current={hrefOf(view.query) === here ? "page" : undefined}
                  className="min-w-0 truncate font-medium text-accent-text underline underline-offset-2"
                >
                  {view.name}
                </Link>
                <Form method="post">
                  <HiddenFields values={{ intent: "remove-view", view: view.id }} />
                  <Button type="submit" variant="quiet" size="sm" aria-label={`Remove ${view.name}`}>
                    Remove
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        )}
        <PostForm intent="save-view" idPrefix="view" answer={answer} summary={false} className="grid gap-2">
          <TextInput name="name" label="Save this view as" required maxLength={60} autoComplete="off" />
          <div>
            <SubmitButton variant="secondary" size="sm" pendingText="Saving...">
              Save view
            </SubmitButton>
          </div>
        </PostForm>
        <Form method="post" className="border-line border-t pt-3">
          <HiddenFields values={{ intent: "density", roomy: isRoomy ? "no" : "yes" }} />
          <Button type="submit" variant="quiet" size="sm">
            {isRoomy ? "Dense rows" : "More space between rows"}
          </Button>
        </Form>
      </div>
    </details>
  );
}

const FILTERS: readonly { label: string; match?: MatchType; mine?: boolean }[] = [
  { label: "All" },
  { label: "Exact", match: "exact" },
  { label: "Fuzzy", match: "fuzzy" },
  { label: "No match", match: "none" },
  { label: "Mine", mine: true },
];

type QueuePageData = Awaited<ReturnType<typeof readPendingPage>>;

type Summed = { title: string; results: BulkResult[] };

const isSummed = (extra: FormAnswer["extra"]): extra is Summed => Array.isArray(extra?.results);

/** The review queue, with actions on several of its items. */
export function QueuePage(props: QueuePageData & { answer?: FormAnswer }) {
  const { rows, filter, isNarrowed, counts, views, isRoomy, missing, canAct, previousHref, nextHref, answer } = props;
  const { q, match, order, mine } = filter;
  const done = answer?.code === "NEXT_STEP" && isSummed(answer.extra) ? answer.extra : undefined;
  const refused = answer?.code === "NEXT_STEP" ? undefined : answer;
  const kept = refused?.extra?.id;
  const ticked = Array.isArray(kept) ? kept.map(String) : [];
  return (
    <>
      <PageHeader
        title="Pending verifications"
        actions={
          <>
            <SavedViews views={views} isRoomy={isRoomy} here={pendingHref(filter)} answer={refused} />
            <Button to={appPaths.allVerifications} variant="quiet" size="sm">
              All verifications
            </Button>
            <ListKeys isOn={props.hasKeys} />
          </>
        }
      />
      <ConfirmFirst missing={missing} />
      {done && <Results {...done} hrefOf={appPaths.verification} notDone="not done" />}
      {refused && (
        <FormErrorSummary title={refused.title} errors={toFieldIds(refused)} formErrors={refused.formErrors} />
      )}
      <ListCard
        label="Pending verifications"
        rows={rows}
        columns={pendingColumns(filter, canAct ? ticked : null, rows[0]?.id)}
        fixed
        brief
        dense={!isRoomy}
        isRed={(row) => row.verdict.isRed}
        tight
        filters={{
          label: "Filter",
          items: FILTERS.map((each) => ({
            label: each.label,
            to: pendingHref({ q, order, match: each.match, mine: each.mine }),
            current: Boolean(each.mine) === Boolean(mine) && each.match === match,
            count: counts[each.mine ? "mine" : (each.match ?? "all")],
          })),
        }}
        tools={
          counts.notCompared !== "0" && (
            <p className="text-ink-soft text-sm">
              Not compared: <span className="figures">{counts.notCompared}</span>
            </p>
          )
        }
        search={{
          label: "Search name, BSB or account number",
          defaultValue: q,
          keep: { match, order: order === "risk" ? undefined : order, assigned: mine ? MINE : undefined },
          clearHref: pendingHref({ match, order, mine }),
        }}
        empty={nextHref ? nothingFoundSoFar("queue", nextHref) : isNarrowed ? NOTHING_FOUND : ALL_REVIEWED}
        around={(table) =>
          canAct ? (
            <PostForm answer={refused} idPrefix="bulk" summary={false}>
              <HiddenFields values={{ submissionId: props.submissionId }} />
              {table}
              <BulkBar colleagues={props.colleagues} providerName={props.providerName} canAsk={missing === null} />
            </PostForm>
          ) : (
            table
          )
        }
        note={
          <p className="border-line border-t px-5 py-3 text-base text-ink-soft">
            Fuzzy name matches need a manual review: the difference can be a typing error or a fraud.
          </p>
        }
        pager={{ previousHref, nextHref }}
      />
    </>
  );
}

/** The ids of the fields that a refusal links to. */
const toFieldIds = ({ errors }: FormAnswer) =>
  Object.fromEntries(
    Object.entries(errors).map(([name, sentences]) => [name === "name" ? "view-name" : `bulk-${name}`, sentences]),
  );

interface BulkBarProps extends Pick<QueuePageData, "colleagues" | "providerName"> {
  /** True if banks and payees can be asked. */
  canAsk: boolean;
}

/** Actions on the ticked rows. Appears once a row is ticked, with or without scripts. */
function BulkBar({ colleagues, providerName, canAsk }: BulkBarProps) {
  return (
    <fieldset className="choice-bar" data-screen-only>
      <legend className="sr-only">The ticked verifications</legend>
      <div className="flex items-end gap-2">
        <Select
          name="assignee"
          label="Assign to"
          showOptional={false}
          placeholder="Nobody"
          options={colleagues.map(({ userId, name }) => ({ value: userId, label: name }))}
        />
        <SubmitButton name="intent" value="assign" variant="secondary" pendingText="Assigning...">
          Assign
        </SubmitButton>
      </div>
      {canAsk && (
        <div className="flex gap-2">
          <SubmitButton name="intent" value="verify-basiq" variant="secondary" icon="bank" pendingText="Starting...">
            {`Verify with ${providerName}`}
          </SubmitButton>
          <SubmitButton name="intent" value="send-link" variant="secondary" icon="mail" pendingText="Sending...">
            Send link
          </SubmitButton>
        </div>
      )}
      <div className="flex items-end gap-2">
        <TextInput name="reason" label="Reason for rejecting" showOptional={false} maxLength={500} autoComplete="off" />
        <SubmitButton name="intent" value="reject" variant="secondary" icon="x" pendingText="Rejecting...">
          Reject
        </SubmitButton>
      </div>
    </fieldset>
  );
}

/** A search without results links to the whole list. */
const NOTHING_FOUND: EmptyStateProps = {
  icon: "search",
  title: "No Pending Verifications",
  action: (
    <Button to={appPaths.pendingVerifications} variant="secondary">
      Show all
    </Button>
  ),
  children: "Nothing waiting for review matches this search and filter.",
};

/** An emptied queue is good news. */
const ALL_REVIEWED: EmptyStateProps = {
  icon: "checkCircle",
  mood: "done",
  title: "No Pending Verifications",
  action: (
    <Button to={appPaths.payees} variant="secondary">
      Manage Payees
    </Button>
  ),
  children: "Everything has been reviewed. A new payee, or a change of bank details, will appear here.",
};

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

/** How the two names compare, with the score as a rounded percentage if there is one. */
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
 * The columns of the review queue (specification, section 2), one row for each verification.
 * @param view the filters and order of the list, which links to its items keep
 * @param ticked ids that were ticked; null: this person cannot act on rows
 * @param firstId the row whose tick box the error "nothing is ticked" links to
 */
function pendingColumns(
  view: QueueView & { order: QueueOrder },
  ticked: readonly string[] | null,
  firstId: string | undefined,
): Column<PendingRow>[] {
  const { order } = view;
  return [
    {
      head: "Payee",
      width: "wide:w-[17%] xl:wide:w-[20%]",
      classOf: () => "brief:min-w-0 brief:flex-1",
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
          <span className="block min-w-0 break-words wide:min-h-8 wide:content-center wide:leading-4.5">
            <RowLink to={reviewHref(row.id, view)}>{row.payeeName}</RowLink>
          </span>
        </span>
      ),
    },
    {
      head: "Account Details",
      width: "wide:w-[13%] xl:wide:w-[12%]",
      classOf: () => "brief:order-4",
      cell: (row) => (
        <span className={LINE} title={row.accountName}>
          <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />{" "}
          <span className="text-ink-soft wide:sr-only brief:sr-only">{row.accountName}</span>
        </span>
      ),
    },
    {
      head: "Match Type",
      width: "wide:w-[11.5%] snug:w-[12.5%] xl:wide:w-[11%]",
      classOf: () => "cell-middle brief:order-3",
      cell: (row) => <MatchTypeLabel matchType={row.matchType} score={row.nameMatchScore} />,
    },
    {
      head: "State",
      width: "wide:w-[18%] xl:wide:w-[16%]",
      classOf: () => "brief:order-2",
      sortHref: pendingHref({ ...view, order: "risk" }),
      sorted: order === "risk" ? "descending" : undefined,
      cell: (row) => <RowState row={row} />,
    },
    {
      head: "Held",
      width: "wide:w-[10%] xl:wide:w-[8.5%]",
      align: "right",
      cell: ({ heldCents }) => (
        <span className={LINE}>{heldCents > 0 ? <Amount cents={heldCents} /> : <Dash word="None" />}</span>
      ),
    },
    {
      head: "Requested By",
      width: "wide:w-[8%] snug:w-[9.5%] xl:wide:w-[9.5%]",
      classOf: () => "brief:order-5 brief:min-w-0 brief:flex-1",
      cell: ({ requestedBy, assignedTo }) => (
        <span className={cx(LINE, "snug:leading-4.5 snug:whitespace-normal")} title={requestedBy?.email}>
          {requestedBy ? requestedBy.name : "System"}
          {requestedBy && <span className="text-ink-soft wide:sr-only brief:sr-only"> {requestedBy.email}</span>}
          {assignedTo && (
            <span className="hidden text-ink-soft not-print:brief:inline not-print:snug:inline">
              , assigned to {assignedTo}
            </span>
          )}
        </span>
      ),
    },
    {
      head: "Assigned To",
      width: "wide:w-[8.5%] snug:hidden",
      classOf: () => "cell-left-out snug:hidden",
      cell: ({ assignedTo }) => (
        <span className={LINE} title={assignedTo ?? undefined}>
          {assignedTo ?? <Dash word="Not assigned" />}
        </span>
      ),
    },
    {
      head: "Date",
      width: "wide:w-[6%] xl:wide:w-[6%]",
      classOf: () => "brief:order-3 brief:ml-auto",
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
      width: "wide:w-[8%] snug:w-[10%]",
      classOf: () => "brief:order-6",
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
    <span className="text-ink-soft brief:sr-only">
      <span aria-hidden="true">-</span>
      <span className="sr-only">{word}</span>
    </span>
  );
}

function RowState({ row }: { row: PendingRow }) {
  // Two lines take no more space than the button beside them.
  const isDouble = row.waiting || row.verdict.change;
  return (
    <span
      className={cx(
        "flex min-h-8 flex-col items-start justify-center narrow:gap-0.5",
        isDouble && "wide:-my-0.5 wide:[&_.badge]:py-0",
      )}
    >
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
        <VerdictBadge verdict={row.verdict} />
        {row.waiting && <span className="figures whitespace-nowrap text-ink-soft">{row.waiting}</span>}
      </span>
      {row.verdict.change && <ChangeMark change={row.verdict.change} />}
    </span>
  );
}
