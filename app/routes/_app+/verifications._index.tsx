import { useLoaderData } from "@remix-run/react";
import { InboxList } from "~/components/records/inbox/inbox-list";
import { ListKeys } from "~/components/records/inbox/list-keys-on-demand";
import { Button } from "~/components/ui/elements";
import { EmptyState } from "~/components/ui/empty-state";
import { Amount, named } from "~/components/ui/page-parts";
import { page, pageMember } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { readInboxView } from "~/modules/records/inbox/inbox";
import { readInboxItems, showInboxPage } from "~/modules/records/inbox/inbox.server";

export const { meta, ErrorBoundary } = named("Inbox", "Error Loading Verifications");

/** The Inbox. No item opens automatically, because opening one shows account numbers and is recorded. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, url } = scope;
  const reading = readAhead(scope, (reader) => readInboxItems(services, reader));
  const actor = await pageMember(scope);
  return showInboxPage(services, actor, await reading(actor), readInboxView(url.searchParams));
});

export default function InboxOfVerifications() {
  return <InboxPage {...useLoaderData<typeof loader>()} />;
}

/** The Inbox before an item is opened: the list, and the total that waits. */
function InboxPage({ inbox, hasKeys }: Awaited<ReturnType<typeof showInboxPage>>) {
  const [first] = inbox.items;
  return (
    <div className="inbox" data-empty={inbox.total === 0 ? "" : undefined}>
      <InboxList inbox={inbox} path={null} keys={<ListKeys isOn={hasKeys} />} />
      <div className="inbox-pane" data-screen-only>
        <div className="grid min-h-[60vh] content-center">
          {first ? (
            <EmptyState
              icon="list"
              title={`${formatCount(inbox.items.length)} ${inbox.items.length === 1 ? "item needs" : "items need"} a decision`}
              action={<Button to={first.href}>Start with {first.title}</Button>}
            >
              {inbox.cents > 0 && (
                <>
                  <Amount cents={inbox.cents} /> is waiting with {inbox.items.length === 1 ? "it" : "them"}.{" "}
                </>
              )}
              Opening one shows its account numbers in full, and the audit trail records who looked.
            </EmptyState>
          ) : (
            <EmptyState
              icon="checkCircle"
              mood="done"
              title={inbox.total === 0 ? "Nothing needs a decision" : "Nothing of this kind needs a decision"}
              action={
                <Button to={appPaths.payees} variant="secondary">
                  Manage Payees
                </Button>
              }
            >
              A new payee, a change of bank details or a held payment will appear here.
            </EmptyState>
          )}
        </div>
      </div>
    </div>
  );
}
