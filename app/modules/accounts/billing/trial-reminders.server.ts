import { billingNotices, organizations, rowIn } from "@db/database";
import { and, eq, gt, isNull, lte, notExists, sql } from "drizzle-orm";
import { DAY_MS, formatDate } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { listMemberEmails } from "~/modules/accounts/members/members.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runStep } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { Services, WriteServices } from "~/services-and-actor";
import { saveNotice } from "./account.server";
import { PLAN } from "./subscription";

/** How long before the end of a trial people are reminded. */
export const TRIAL_REMINDER_MS = 3 * DAY_MS;
const CHUNK = 200;
const KEY = "trial_ending:";

type Trial = { id: string; name: string; trialEndsAt: number };

/**
 * Emails every organisation that has paid nothing and whose trial ends within three days, once for each end date.
 * @returns how many organisations were sent an email
 */
export async function sendTrialReminders(services: Services): Promise<number> {
  let reminded = 0;
  for (;;) {
    const trials = await listUnremindedTrials(services);
    if (trials.length === 0) return reminded;
    for (const trial of trials) if (await remind(services, trial)) reminded += 1;
  }
}

/** Trials without a reminder for their present end date. */
async function listUnremindedTrials({ db, clock }: WriteServices): Promise<Trial[]> {
  const now = clock.now();
  const { id, name, trialEndsAt, firstPaidAt, active } = organizations;
  const rows = await db
    .select({ id, name, trialEndsAt })
    .from(organizations)
    .where(
      and(
        gt(trialEndsAt, now),
        lte(trialEndsAt, now + TRIAL_REMINDER_MS),
        eq(active, true),
        isNull(firstPaidAt),
        notExists(
          rowIn(db, billingNotices).where(
            and(eq(billingNotices.organizationId, id), eq(billingNotices.key, sql`${KEY} || ${trialEndsAt}`)),
          ),
        ),
      ),
    )
    .limit(CHUNK);
  return rows.flatMap((row) => (row.trialEndsAt === null ? [] : [{ ...row, trialEndsAt: row.trialEndsAt }]));
}

async function remind(services: Services, trial: Trial): Promise<boolean> {
  const [to, { timeZone }] = await Promise.all([listMemberEmails(services, trial.id), findPolicy(services, trial.id)]);
  const key = KEY + trial.trialEndsAt;
  const known = rowIn(services.db, billingNotices).where(
    and(eq(billingNotices.organizationId, trial.id), eq(billingNotices.key, key)),
  );
  const { ok } = await runStep(services, {
    conditions: [{ name: "reminded_already", found: sql`SELECT 1 WHERE NOT EXISTS ${known}` }],
    statements: [saveNotice(services, trial.id, key)],
    jobs: await queueEmail(services, trial.id, to, {
      template: "trialEnding",
      data: {
        organizationName: trial.name,
        endsOn: formatDate(trial.trialEndsAt, timeZone),
        price: formatAud(PLAN.amount),
        href: `${services.config.appOrigin}${appPaths.subscription}`,
      },
    }),
  });
  return ok;
}
