import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { BulkBar, BulkResults } from "~/components/verifying/bulk-bar";
import { NoPending } from "~/components/verifying/no-pending";
import { PendingTable } from "~/components/verifying/pending-table";
import { PendingToolbar, type QueueCounts } from "~/components/verifying/pending-toolbar";
import { SavedViews } from "~/components/verifying/saved-views";
import type { QueueOrder } from "~/kernel/enums";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { MissingConfirmation } from "~/modules/messages/notifications/outside-messages";
import type { BulkResult } from "~/modules/verifying/review/bulk";
import type { PendingRow } from "~/modules/verifying/review/pending.view";
import { pendingHref, type QueueView } from "~/modules/verifying/review/pending-address";

export interface QueuePageProps {
  rows: readonly PendingRow[];
  filter: QueueView & { order: QueueOrder };
  isNarrowed: boolean;
  counts: QueueCounts;
  views: readonly { id: string; name: string; query: string }[];
  isRoomy: boolean;
  /** The person may change things: rows can be ticked. */
  canAct: boolean;
  /** What has to be confirmed before payees and banks can be asked; null: nothing. */
  missing: MissingConfirmation | null;
  colleagues: readonly { userId: string; name: string }[];
  providerName: string;
  submissionId: string;
  previousHref: string | undefined;
  nextHref: string | undefined;
  answer?: FormAnswer;
}

type Summed = { title: string; results: BulkResult[] };

const isSummed = (extra: FormAnswer["extra"]): extra is Summed => Array.isArray(extra?.results);

/** The review queue, with what can be done with several of its items. */
export function QueuePage(props: QueuePageProps) {
  const { rows, filter, isNarrowed, counts, views, isRoomy, missing, previousHref, nextHref, answer } = props;
  const done = answer?.code === "NEXT_STEP" && isSummed(answer.extra) ? answer.extra : undefined;
  const refused = answer?.code === "NEXT_STEP" ? undefined : answer;
  return (
    <>
      <PageHeader
        title="Pending verifications"
        actions={
          <>
            <SavedViews views={views} isRoomy={isRoomy} here={pendingHref(filter)} answer={refused} />
            <Button to={appPaths.verifications} variant="quiet" size="sm">
              All verifications
            </Button>
          </>
        }
      />
      <ConfirmFirst missing={missing} />
      {done && <BulkResults {...done} />}
      {refused && (
        <FormErrorSummary title={refused.title} errors={toFieldIds(refused)} formErrors={refused.formErrors} />
      )}
      <Card flush>
        <PendingToolbar {...filter} counts={counts} />
        {rows.length === 0 ? <NoPending isNarrowed={isNarrowed} nextHref={nextHref} /> : <Rows {...props} />}
        <p className="border-line border-t px-5 py-3 text-base text-ink-soft">
          Fuzzy name matches need a manual review: the difference can be a typing error or a fraud.
        </p>
        <Pagination label="Pending verifications" previousHref={previousHref} nextHref={nextHref} />
      </Card>
    </>
  );
}

/** The ids of the fields that a refusal leads to. */
const toFieldIds = ({ errors }: FormAnswer) =>
  Object.fromEntries(
    Object.entries(errors).map(([name, sentences]) => [name === "name" ? "view-name" : `bulk-${name}`, sentences]),
  );

function Rows(props: QueuePageProps) {
  const { rows, filter, isRoomy, canAct, missing, colleagues, providerName, submissionId, answer } = props;
  if (!canAct) return <PendingTable rows={rows} view={filter} isRoomy={isRoomy} ticked={null} />;
  const isRefused = answer !== undefined && answer.code !== "NEXT_STEP";
  const kept = isRefused ? answer.extra?.id : undefined;
  const ticked = Array.isArray(kept) ? kept.map(String) : [];
  return (
    <Form method="post" noValidate className="group/bulk">
      <HiddenFields values={{ submissionId }} />
      <PendingTable rows={rows} view={filter} isRoomy={isRoomy} ticked={ticked} />
      <BulkBar
        colleagues={colleagues}
        providerName={providerName}
        canAsk={missing === null}
        answer={isRefused ? answer : undefined}
      />
    </Form>
  );
}
