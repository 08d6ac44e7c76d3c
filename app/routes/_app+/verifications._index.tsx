import { useLoaderData } from "@remix-run/react";
import { named } from "~/components/layout/named";
import { InboxPage } from "~/components/records/inbox/inbox-page";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { readInboxView } from "~/modules/records/inbox/inbox";
import { readInboxItems, showInboxPage } from "~/modules/records/inbox/inbox.server";

export const { meta, ErrorBoundary } = named("Inbox", "Error Loading Verifications");

/** Everything that waits for a person. No item opens by itself: opening one shows account numbers, and is recorded. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, url } = scope;
  const reading = readAhead(scope, (reader) => readInboxItems(services, reader));
  const actor = await pageMember(scope);
  return showInboxPage(services, actor, await reading(actor), readInboxView(url.searchParams));
});

export default function InboxOfVerifications() {
  return <InboxPage {...useLoaderData<typeof loader>()} />;
}
