import { commit } from "@db/commit";
import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { countHit } from "@db/rate-counter";
import { payees, verifications } from "@db/schema";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Actor, Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { HOUR_MS } from "~/kernel/dates";
import type { NotificationChannel } from "~/kernel/enums";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { findCheckJobIds, findRunningCheck } from "~/modules/bank-checks/bank-check.queries.server";
import { endBankCheck } from "~/modules/bank-checks/bank-check.statements.server";
import { requireUndecided } from "~/modules/bank-checks/bank-check-guards.server";
import { wakeJob } from "~/modules/commands/outbox.statements.server";
import { listMemberEmails } from "~/modules/members/member-emails.queries.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { getVerification } from "~/modules/verifications/verification.queries.server";
import { whilePending } from "~/modules/verifications/verification.statements.server";
import type { Services } from "~/services";
import { type FoundPayeeLink, getOpenPayeeLink, getPayeeLink, type LinkInput } from "./payee-link.queries.server";
import { sendNewLink } from "./payee-link.statements.server";
import { requirePayeeContact } from "./payee-link-contact.server";

type Sending = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config" | "queues">;

/** Nobody's mailbox is to be filled through us, by accident or on purpose. */
const LINKS_PER_HOUR = 10;

/**
 * Sends the payee a new link, which ends the one before it. Works with and without a bank check.
 * @throws AppError 404; 409 ALREADY_DECIDED, PAYEE_DISPUTED, PAYEE_CONTACT_REQUIRED; 429
 */
export async function sendPayeeLink(
  services: Sending,
  actor: Actor,
  input: { verificationId: string; channel?: NotificationChannel },
): Promise<void> {
  const { db, clock, queues } = services;
  const verification = await getVerification(services, actor, input.verificationId);
  await requireUndecided(services, actor, verification);
  const contact = requirePayeeContact(verification.payee, input.channel);
  await limitLinks(services, verification.id);
  const { timeZone } = await findPolicy(services, actor.organizationId);
  const link = await sendNewLink(services, actor, {
    verificationId: verification.id,
    accountNumber: verification.accountNumber,
    payee: verification.payee,
    organizationName: actor.organizationName,
    timeZone,
    contact,
  });
  const now = clock.now();
  try {
    await commit(db, [whilePending(services, actor.organizationId, verification.id), ...link.statements], async () => {
      const sent = await getVerification(services, actor, verification.id);
      return sent.notificationSentAt === now;
    });
  } catch (error) {
    if (isPreconditionError(error)) {
      await requireUndecided(services, actor, await getVerification(services, actor, verification.id));
    }
    throw error;
  }
  await queues.send("jobs", link.jobIds);
}

async function limitLinks({ db, clock }: Sending, verificationId: string): Promise<void> {
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `payee-link:${verificationId}`, HOUR_MS, now);
  if (count <= LINKS_PER_HOUR) return;
  throw new AppError("RATE_LIMITED", 429, "The payee was sent many links in the last hour. Please wait a while.", {
    retryAfterSeconds: Math.max(1, Math.ceil((windowEndsAt - now) / 1000)),
  });
}

type Answering = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config" | "queues">;

/**
 * "Yes, these are my details."
 * @throws AppError as the link answers: 404; 409 ALREADY_VERIFIED, DISPUTED; 410 LINK_EXPIRED
 */
export async function confirmPayeeDetails(services: Answering, origin: Origin, input: LinkInput): Promise<void> {
  const link = await getOpenPayeeLink(services, input);
  const { db, clock } = services;
  const acting = { userId: null, organizationId: link.organizationId, origin };
  await answerOnce(services, input, [
    whileOpen(services, link),
    db.update(verifications).set({ verifiedByPayee: true, verifiedByPayeeAt: clock.now() }).where(isLinked(link)),
    recordAudit(services, acting, {
      action: "verification.confirmed_by_payee",
      entityType: "verification",
      entityId: link.verificationId,
    }),
  ]);
}

/**
 * "These are not my details." Flags the verification and the payee, so that payments to it wait; a bank check under way
 * ends, because there is nothing to ask the bank; everybody who can act is told.
 *
 * @param input.note what the payee added, cleaned, or null
 * @throws AppError as for confirming
 */
export async function disputePayeeDetails(
  services: Answering,
  origin: Origin,
  input: LinkInput & { note: string | null },
): Promise<void> {
  const link = await getOpenPayeeLink(services, input);
  const { db, clock, config, queues } = services;
  const { organizationId, organizationName, payee, verificationId } = link;
  const acting = { userId: null, organizationId, origin };
  const now = clock.now();
  const running = await findRunningCheck(services, organizationId, verificationId);
  const mail = await queueEmail(
    services,
    organizationId,
    await listMemberEmails(services, organizationId, { canWrite: true }),
    {
      template: "payeeDisputed",
      data: {
        organizationName,
        payeeName: payee.name,
        note: input.note,
        href: `${config.appOrigin}/verifications/${verificationId}`,
      },
    },
  );
  await answerOnce(services, input, [
    whileOpen(services, link),
    db.update(verifications).set({ disputedByPayeeAt: now, disputeNote: input.note }).where(isLinked(link)),
    db
      .update(payees)
      .set({ disputedAt: now, version: sql`${payees.version} + 1`, updatedAt: now })
      .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payee.id))),
    ...(running
      ? [
          endBankCheck(services, running, { outcome: "unable", reasonCode: "payee_disputed" }),
          wakeJob(services, "bank_check", running.id),
        ]
      : []),
    recordAudit(services, acting, {
      action: "verification.disputed_by_payee",
      entityType: "verification",
      entityId: verificationId,
      details: { note: input.note },
    }),
    ...jobStatements(services, mail),
  ]);
  await queues.send("jobs", jobIds(mail));
  if (running) await queues.send("bank-checks", await findCheckJobIds(services, running.id));
}

const isLinked = (link: FoundPayeeLink) =>
  and(eq(verifications.organizationId, link.organizationId), eq(verifications.id, link.verificationId));

/** First statement of an answer: only while nobody has answered, decided, or sent another link. */
function whileOpen({ db, clock }: Answering, link: FoundPayeeLink) {
  return precondition(
    db,
    db
      .select({ one: sql`1` })
      .from(verifications)
      .where(
        and(
          isLinked(link),
          eq(verifications.status, "pending"),
          eq(verifications.verificationToken, link.tokenHash),
          gt(verifications.verificationTokenExpiresAt, clock.now()),
          eq(verifications.verifiedByPayee, false),
          isNull(verifications.disputedByPayeeAt),
        ),
      ),
  );
}

/** Writes an answer; a second press of the button is told what the first one said. */
async function answerOnce(
  services: Answering,
  input: LinkInput,
  statements: Parameters<typeof commit>[1],
): Promise<void> {
  const answeredAt = services.clock.now();
  const isOurs = async () => {
    const link = await getPayeeLink(services, input);
    return link.verifiedByPayeeAt === answeredAt || link.disputedByPayeeAt === answeredAt;
  };
  try {
    await commit(services.db, statements, isOurs);
  } catch (error) {
    if (isPreconditionError(error)) await getOpenPayeeLink(services, input);
    throw error;
  }
}
