import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { FilterTabs } from "~/components/tables/filter-tabs";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { AlertLine } from "~/modules/messages/alerts/alerts.view";
import { AlertList } from "./alert-list";

interface AlertsPageProps {
  lines: readonly AlertLine[];
  unreadOnly: boolean;
  unread: string;
  nextHref: string | undefined;
  /** A form that was refused, or whose answer was lost. */
  answer: FormAnswer | undefined;
}

/** What a person was told, newest first. */
export function AlertsPage({ lines, unreadOnly, unread, nextHref, answer }: AlertsPageProps) {
  const newest = lines[0]?.id;
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader
        title="Alerts"
        description="Events that concern you. In your profile you can choose which alerts you get, and how."
        actions={
          <Button to={appPaths.alertSettings} variant="secondary" icon="settings">
            Choose alerts
          </Button>
        }
      />
      {answer && <FormErrorSummary title={answer.title} errors={answer.errors} formErrors={answer.formErrors} />}
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <FilterTabs
          label="Which alerts"
          items={[
            { label: "All", to: appPaths.alerts, current: !unreadOnly },
            { label: "Unread", to: `${appPaths.alerts}?show=unread`, current: unreadOnly, count: unread },
          ]}
        />
        {newest !== undefined && unread !== "0" && (
          <Form method="post">
            <HiddenFields values={{ upTo: newest }} />
            <SubmitButton name="intent" value="read-all" variant="secondary" size="sm" pendingText="Marking...">
              Mark all as read
            </SubmitButton>
          </Form>
        )}
      </div>
      <Card flush>
        {lines.length > 0 ? (
          <AlertList lines={lines} />
        ) : (
          <EmptyState icon="bell" title={unreadOnly ? "No unread alerts" : "No alerts yet"}>
            {unreadOnly
              ? "You have read all your alerts."
              : "Held payments, changed bank details and results that concern you appear here."}
          </EmptyState>
        )}
        <Pagination label="Alerts" nextHref={nextHref} />
      </Card>
    </div>
  );
}
