import { billingNotices } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Email } from "~/emails/templates";
import { formatDate } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { listMemberEmails } from "~/modules/accounts/members/member-emails.server";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.server";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { Services } from "~/services";
import { saveNotice } from "./account.server";
import type { Notice } from "./notices";

type Notifying = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">;
type About = { id: string; name: string };

/** The emails that did not go out yet, to every member who can act. */
export async function queueNotices(
  services: Notifying,
  organization: About,
  notices: readonly Notice[],
): Promise<CommandPart> {
  const fresh = await withoutKnown(services, organization.id, notices);
  if (fresh.length === 0) return { statements: [] };
  const [to, { timeZone }] = await Promise.all([
    listMemberEmails(services, organization.id, { canWrite: true }),
    findPolicy(services, organization.id),
  ]);
  const href = `${services.config.appOrigin}${appPaths.subscription}`;
  const jobs = await Promise.all(
    fresh.map((notice) =>
      queueEmail(services, organization.id, to, toEmail(notice, organization.name, timeZone, href)),
    ),
  );
  return {
    statements: fresh.map(({ key }) => saveNotice(services, organization.id, key)),
    jobs: jobs.flat(),
  };
}

async function withoutKnown({ db }: Notifying, organizationId: string, notices: readonly Notice[]): Promise<Notice[]> {
  if (notices.length === 0) return [];
  const keys = JSON.stringify(notices.map(({ key }) => key));
  const known = await db
    .select({ key: billingNotices.key })
    .from(billingNotices)
    .where(
      and(
        eq(billingNotices.organizationId, organizationId),
        sql`${billingNotices.key} IN (SELECT value FROM json_each(${keys}))`,
      ),
    );
  const sent = new Set(known.map(({ key }) => key));
  return notices.filter(({ key }) => !sent.has(key));
}

function toEmail(notice: Notice, organizationName: string, timeZone: string, href: string): Email {
  switch (notice.kind) {
    case "payment_failed": {
      const data = { organizationName, href, amount: formatAud(notice.amount), isLast: notice.status === "unpaid" };
      return { template: "paymentFailed", data };
    }
    case "card_expiring": {
      const expires = `${String(notice.expMonth).padStart(2, "0")}/${notice.expYear}`;
      return { template: "cardExpiring", data: { organizationName, href, last4: notice.last4, expires } };
    }
    case "cancelled": {
      const endsOn = formatDate(notice.endsAt, timeZone);
      return { template: "subscriptionCancelled", data: { organizationName, href, endsOn } };
    }
    case "ended":
      return { template: "subscriptionEnded", data: { organizationName, href } };
  }
}
