import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { countHit } from "@db/rate-counter";
import { payeeLinks, payees, verifications } from "@db/schema";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Actor, Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { HOUR_MS } from "~/kernel/dates";
import type { NotificationChannel } from "~/kernel/enums";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.queries.server";
import { type IdempotentRequest, runOnce } from "~/modules/core/commands/idempotency.server";
import { wakeJob } from "~/modules/core/commands/outbox.statements.server";
import { type CommandPart, runCommand, type WokenJob } from "~/modules/core/commands/run-command.server";
import { outsideError } from "~/modules/messages/notifications/outside-messages";
import { findRunningCheck, listCheckJobs } from "~/modules/payees/verifications/running-check.queries.server";
import { endBankCheck } from "~/modules/payees/verifications/running-check.statements.server";
import { requireUndecided, verificationChanged } from "~/modules/payees/verifications/undecided.server";
import { getVerification } from "~/modules/payees/verifications/verification.queries.server";
import { verificationIsPending } from "~/modules/payees/verifications/verification.statements.server";
import { holdAuthorisedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { NotifyServices } from "~/services";
import { type FoundPayeeLink, getOpenPayeeLink, type LinkInput } from "./payee-link.queries.server";
import { newPayeeLink } from "./payee-link.statements.server";
import { requirePayeeContact } from "./payee-link-contact.server";

/** Nobody's mailbox is to be filled through us, by accident or on purpose. */
const LINKS_PER_HOUR = 10;

export type SendingLink = { verificationId: string; channel?: NotificationChannel; idempotencyKey?: string };

/**
 * Sends the payee another link; the ones before it go on working. Works with and without a bank check.
 * @throws AppError 404; 409 ALREADY_DECIDED, PAYEE_DISPUTED, PAYEE_CONTACT_REQUIRED, IDEMPOTENCY_CONFLICT; 429
 */
export async function sendPayeeLink(services: NotifyServices, actor: Actor, input: SendingLink): Promise<void> {
  const { verificationId, channel, idempotencyKey: key } = input;
  const asked = { operation: "send-link", key, input: [verificationId, channel] };
  await runOnce(services, actor, asked, (request) => sendOnce(services, actor, input, request));
}

async function sendOnce(
  services: NotifyServices,
  actor: Actor,
  { verificationId, channel }: SendingLink,
  request: IdempotentRequest | undefined,
): Promise<Record<string, never>> {
  const verification = await getVerification(services, actor, verificationId);
  await requireUndecided(services, actor, verification);
  const contact = requirePayeeContact(verification.payee, channel);
  await limitLinks(services, verificationId);
  const { organizationId, organizationName } = actor;
  const { timeZone } = await findPolicy(services, organizationId);
  const { accountNumber, payee } = verification;
  const target = { verificationId, accountNumber, payee, organizationName, timeZone, contact };
  const { conditions, parts } = await newPayeeLink(services, actor, target);
  const result = await runCommand(services, actor, {
    conditions: [verificationIsPending(services, organizationId, verificationId), ...conditions],
    parts,
    request,
    answer: {},
  });
  if (result.ok) return {};
  if (result.refused !== "already_decided") throw outsideError(result.refused);
  await requireUndecided(services, actor, await getVerification(services, actor, verificationId));
  throw verificationChanged();
}

async function limitLinks({ db, clock }: NotifyServices, verificationId: string): Promise<void> {
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `payee-link:${verificationId}`, HOUR_MS, now);
  if (count <= LINKS_PER_HOUR) return;
  throw new AppError("RATE_LIMITED", 429, "The payee was sent many links in the last hour. Please wait a while.", {
    retryAfterSeconds: Math.max(1, Math.ceil((windowEndsAt - now) / 1000)),
  });
}

/**
 * "Yes, these are my details."
 * @throws AppError as the link answers: 404; 409 ALREADY_VERIFIED, DISPUTED; 410 LINK_EXPIRED
 */
export async function confirmPayeeDetails(services: NotifyServices, origin: Origin, input: LinkInput): Promise<void> {
  const link = await getOpenPayeeLink(services, input);
  const { db, clock } = services;
  const entry = { entityType: "verification", entityId: link.verificationId } as const;
  await answer(
    services,
    origin,
    { input, found: link },
    {
      statements: [
        db.update(verifications).set({ verifiedByPayee: true, verifiedByPayeeAt: clock.now() }).where(isLinked(link)),
      ],
      audit: [{ ...entry, action: "verification.confirmed_by_payee" }],
    },
  );
}

/**
 * "These are not my details." Flags the verification and the payee, so that payments to it wait, and holds its
 * authorised payments again; a bank check under way ends, because there is nothing to ask the bank; every person who can
 * act is told.
 *
 * @param input.note what the payee added, cleaned, or null
 * @throws AppError as for confirming
 */
export async function disputePayeeDetails(
  services: NotifyServices,
  origin: Origin,
  input: LinkInput & { note: string | null },
): Promise<void> {
  const link = await getOpenPayeeLink(services, input);
  const { organizationId, payee, verificationId } = link;
  const { note } = input;
  const acting = { userId: null, organizationId, origin };
  const running = await findRunningCheck(services, organizationId, verificationId);
  const entry = { entityType: "verification", entityId: verificationId, details: { note } } as const;
  const held = holdAuthorisedPayments(services, acting, { payee, cause: "payee_disputed" });
  await answer(
    services,
    origin,
    { input, found: link },
    {
      statements: [...disputeStatements(services, link, note), ...held.statements, ...stopCheck(services, running)],
      audit: [{ ...entry, action: "verification.disputed_by_payee" }],
      woken: running && (await listCheckJobs(services, running.id)),
    },
  );
}

function disputeStatements({ db, clock }: NotifyServices, link: FoundPayeeLink, note: string | null): Statement[] {
  const now = clock.now();
  return [
    db.update(verifications).set({ disputedByPayeeAt: now, disputeNote: note }).where(isLinked(link)),
    db
      .update(payees)
      .set({ disputedAt: now, version: sql`${payees.version} + 1`, updatedAt: now })
      .where(and(eq(payees.organizationId, link.organizationId), eq(payees.id, link.payee.id))),
  ];
}

function stopCheck(services: NotifyServices, running: Awaited<ReturnType<typeof findRunningCheck>>): Statement[] {
  if (!running) return [];
  return [
    endBankCheck(services, running, { outcome: "unable", reasonCode: "payee_disputed" }),
    wakeJob(services, "bank_check", running.id),
  ];
}

const isLinked = (link: FoundPayeeLink) =>
  and(eq(verifications.organizationId, link.organizationId), eq(verifications.id, link.verificationId));

/** Nobody has answered or decided, and the link still works. */
function linkIsOpen({ db, clock }: NotifyServices, link: FoundPayeeLink): Condition<"link_closed"> {
  const found = db
    .select({ one: sql`1` })
    .from(verifications)
    .innerJoin(
      payeeLinks,
      and(eq(payeeLinks.organizationId, verifications.organizationId), eq(payeeLinks.verificationId, verifications.id)),
    )
    .where(
      and(
        isLinked(link),
        eq(payeeLinks.tokenHash, link.tokenHash),
        eq(verifications.status, "pending"),
        gt(verifications.verificationTokenExpiresAt, clock.now()),
        eq(verifications.verifiedByPayee, false),
        isNull(verifications.disputedByPayeeAt),
      ),
    );
  return { name: "link_closed", found };
}

/** Writes an answer; a second press of the button is told what the first one said. */
async function answer(
  services: NotifyServices,
  origin: Origin,
  link: { input: LinkInput; found: FoundPayeeLink },
  written: CommandPart & { woken?: readonly WokenJob[] },
): Promise<void> {
  const { woken, ...part } = written;
  const { input, found } = link;
  const result = await runCommand(
    services,
    { userId: null, organizationId: found.organizationId, origin },
    { conditions: [linkIsOpen(services, found)], parts: [part], woken, answer: undefined },
  );
  if (result.ok) return;
  await getOpenPayeeLink(services, input);
  throw verificationChanged();
}
