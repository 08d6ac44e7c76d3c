import {
  type Condition,
  columnsOf,
  organizations,
  payeeLinks,
  payees,
  rowIn,
  type Statement,
  verifications,
} from "@db/database";
import { countHit } from "@db/rate-counter";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, STATUS_OF } from "~/kernel/app-error";
import { maskAccountNumber } from "~/kernel/bank-account";
import { formatDate, HOUR_MS } from "~/kernel/dates";
import { NOTIFICATION_CHANNELS, type NotificationChannel } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { LINKS_PER_HOUR } from "~/kernel/limits";
import { linkPaths } from "~/kernel/paths/links";
import { withQuery } from "~/kernel/paths/site";
import { isMobile } from "~/kernel/phone";
import { cleanText, isStorable } from "~/kernel/text";
import {
  type CommandPart,
  type IdempotentRequest,
  runCommand,
  runOnce,
  type WokenJob,
  wakeJob,
} from "~/modules/core/commands/run-command.server";
import { outsideError } from "~/modules/messages/notifications/outside-messages";
import { sendToOutsider } from "~/modules/messages/notifications/outside-messages.server";
import { endBankCheck, findRunningCheck, listCheckJobs } from "~/modules/payees/verifications/running-check.server";
import {
  getVerification,
  requireUndecided,
  verificationChanged,
  verificationIsPending,
} from "~/modules/payees/verifications/verification.server";
import { holdAuthorisedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { Actor, Origin, ReadServices, Services, WriteServices } from "~/services-and-actor";
import {
  MAX_DISPUTE_NOTE,
  PAYEE_LINK_TTL_MS,
  type PayeeLinkView,
  payeeLinkMessage,
  payeeLinkState,
  payeeLinkText,
} from "./payee-link";

/** The parameters of a payee's link: the token, and the ids that must belong to it. */
export type LinkInput = { token: string; vid: string; pid: string };

/** Longer than any token of ours. */
const MAX_TOKEN_LENGTH = 100;

/** The stored link. @throws AppError 404, the same for an unknown token, a former contact's and others' ids */
export async function getPayeeLink(services: Pick<Services, "db" | "secrets">, input: LinkInput) {
  const { token, vid, pid } = input;
  const isPlausible = token.length <= MAX_TOKEN_LENGTH && isId(vid) && isId(pid);
  const tokenHash = await services.secrets.hashToken(isPlausible ? token : "");
  const [row] = await services.db
    .select({
      verificationId: verifications.id,
      organizationId: verifications.organizationId,
      organizationName: organizations.name,
      payee: { id: payees.id, name: payees.name },
      ...columnsOf(verifications, "status", "verifiedByPayee", "verifiedByPayeeAt"),
      ...columnsOf(verifications, "disputedByPayeeAt", "disputeNote", "verificationTokenExpiresAt"),
      submitted: columnsOf(verifications, "accountName", "bsb", "accountNumber"),
      current: { accountName: payees.accountName, bsb: payees.bsb, accountNumber: payees.accountNumber },
    })
    .from(payeeLinks)
    .innerJoin(
      verifications,
      and(eq(verifications.organizationId, payeeLinks.organizationId), eq(verifications.id, payeeLinks.verificationId)),
    )
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .innerJoin(organizations, eq(organizations.id, verifications.organizationId))
    .where(eq(payeeLinks.tokenHash, tokenHash));
  if (!row || row.verificationId !== vid || row.payee.id !== pid) {
    throw new AppError(
      "NOT_FOUND",
      "Verification failed: this is not one of our links, or a newer one was sent to another address. Please open the newest message.",
    );
  }
  return { ...row, tokenHash };
}

export type FoundPayeeLink = Awaited<ReturnType<typeof getPayeeLink>>;

const REFUSALS = { confirmed: "ALREADY_VERIFIED", disputed: "DISPUTED", expired: "LINK_EXPIRED" } as const;

/**
 * As `getPayeeLink`, for a link that can still be answered.
 * @throws AppError 404; 409 ALREADY_VERIFIED, DISPUTED; 410 LINK_EXPIRED, in the order of `payeeLinkState`
 */
export async function getOpenPayeeLink(services: Pick<Services, "db" | "secrets" | "clock">, input: LinkInput) {
  const link = await getPayeeLink(services, input);
  const state = payeeLinkState(link, services.clock.now());
  if (state === "open") return link;
  throw new AppError(REFUSALS[state], payeeLinkMessage(state, link.organizationName));
}

/** What the payee's page shows, and its HTTP status. Opening it changes nothing: mail scanners open links too. */
export async function showPayeeLink(services: Pick<Services, "db" | "secrets" | "clock">, input: LinkInput) {
  const link = await getPayeeLink(services, input);
  const state = payeeLinkState(link, services.clock.now());
  const { organizationName, payee, submitted } = link;
  const check = await findRunningCheck(services, link.organizationId, link.verificationId);
  const leadsToBank = link.status === "pending" && check !== undefined && check.providerUserId !== null;
  if (state === "open") {
    return {
      status: 200,
      view: { state, organizationName, payeeName: payee.name, details: submitted, leadsToBank },
    };
  }
  const message = payeeLinkMessage(state, organizationName);
  const shown = { organizationName, message };
  const views: Record<typeof state, PayeeLinkView> = {
    confirmed: { ...shown, state: "confirmed", leadsToBank },
    disputed: { ...shown, state: "disputed", note: link.disputeNote },
    expired: { ...shown, state: "expired" },
  };
  return { status: STATUS_OF[REFUSALS[state]], view: views[state] };
}

type LinkTarget = {
  verificationId: string;
  accountNumber: string;
  payee: { id: string; name: string; contactChangedAt: number | null };
  organizationName: string;
  timeZone: string;
  contact: PayeeContact;
};

/**
 * Creates a payee link and queues its message to the payee. Earlier links keep working, so that two people cannot
 * cancel each other's links; only links sent to a former email or phone stop working.
 *
 * `notificationSent` is set together with the queued message: the outbox then either delivers it or adds an audit entry
 * that it could not (`job.given_up`), so a person may rely on the flag.
 */
export async function newPayeeLink(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">,
  acting: { organizationId: string },
  target: LinkTarget,
) {
  const { db, clock, ids, secrets, config } = services;
  const { verificationId, payee, organizationName, contact, accountNumber } = target;
  const now = clock.now();
  const token = ids.secret();
  const expiresAt = now + PAYEE_LINK_TTL_MS;
  const link = `${config.appOrigin}${withQuery(linkPaths.payeeLink(token), { vid: verificationId, pid: payee.id })}`;
  const shared = { organizationName, payeeName: payee.name, link, expiresOn: formatDate(expiresAt, target.timeZone) };
  const { conditions, part } = await sendToOutsider(services, acting.organizationId, {
    kind: "payee_link",
    to: contact.to,
    ...(contact.channel === "email"
      ? {
          channel: "email",
          email: { template: "payeeLink", data: { ...shared, maskedAccount: maskAccountNumber(accountNumber) } },
        }
      : { channel: "sms", body: payeeLinkText({ ...shared, accountNumber }) }),
  });
  const update = db
    .update(verifications)
    .set({
      verificationTokenExpiresAt: expiresAt,
      verificationChannel: contact.channel,
      notificationSent: true,
      notificationSentAt: now,
    })
    .where(and(eq(verifications.organizationId, acting.organizationId), eq(verifications.id, verificationId)));
  const insert = db.insert(payeeLinks).values({
    tokenHash: await secrets.hashToken(token),
    organizationId: acting.organizationId,
    verificationId,
    createdAt: now,
  });
  const sent: CommandPart = {
    statements: [...endFormerLinks(services, acting, target), insert, update],
    audit: [
      {
        action: "verification.link_sent",
        entityId: verificationId,
        details: { channel: contact.channel, to: contact.to },
      },
    ],
  };
  return { conditions, parts: [sent, part] };
}

/** Ends links sent before the payee's email or phone changed: a former mailbox's owner would see the details. */
function endFormerLinks(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  { verificationId, payee: { contactChangedAt } }: LinkTarget,
): Statement[] {
  if (contactChangedAt === null) return [];
  const isFormer = and(
    eq(payeeLinks.organizationId, organizationId),
    eq(payeeLinks.verificationId, verificationId),
    lt(payeeLinks.createdAt, contactChangedAt),
  );
  return [db.delete(payeeLinks).where(isFormer)];
}

export type SendingLink = { verificationId: string; channel?: NotificationChannel; idempotencyKey?: string };

/**
 * Sends the payee another link; earlier ones keep working. Works with and without a bank check.
 * @throws AppError 404; 409 ALREADY_DECIDED, PAYEE_DISPUTED, PAYEE_CONTACT_REQUIRED, IDEMPOTENCY_CONFLICT; 429
 */
export async function sendPayeeLink(services: WriteServices, actor: Actor, input: SendingLink): Promise<void> {
  const { verificationId, channel, idempotencyKey: key } = input;
  const asked = { operation: "send-link", key, input: [verificationId, channel] };
  await runOnce(services, actor, asked, (request) => sendOnce(services, actor, input, request));
}

async function sendOnce(
  services: WriteServices,
  actor: Actor,
  { verificationId, channel }: SendingLink,
  request: IdempotentRequest | undefined,
): Promise<Record<string, never>> {
  const verification = await getVerification(services, actor, verificationId);
  requireUndecided(actor, verification);
  const contact = requirePayeeContact(verification.payee, channel);
  await limitLinks(services, verificationId);
  const { organizationId, organizationName, timeZone } = actor;
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
  requireUndecided(actor, await getVerification(services, actor, verificationId));
  throw verificationChanged();
}

async function limitLinks({ db, clock }: WriteServices, verificationId: string): Promise<void> {
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `payee-link:${verificationId}`, HOUR_MS, now);
  if (count <= LINKS_PER_HOUR) return;
  throw new AppError("RATE_LIMITED", "The payee was sent many links in the last hour. Please wait a while.", {
    retryAfterSeconds: Math.max(1, Math.ceil((windowEndsAt - now) / 1000)),
  });
}

/** Records "Yes, these are my details." @throws AppError as `getOpenPayeeLink`, and 409 ALREADY_VERIFIED, DISPUTED */
export async function confirmPayeeDetails(services: WriteServices, origin: Origin, input: LinkInput): Promise<void> {
  const link = await getOpenPayeeLink(services, input);
  const { db, clock } = services;
  await answer(
    services,
    origin,
    { input, found: link },
    {
      statements: [
        db.update(verifications).set({ verifiedByPayee: true, verifiedByPayeeAt: clock.now() }).where(isLinked(link)),
      ],
      audit: [{ action: "verification.confirmed_by_payee", entityId: link.verificationId }],
    },
  );
}

/**
 * Records "These are not my details." Flags the verification and the payee, so that payments to it are held, and holds
 * its authorised payments again; ends a bank check in progress, because there is nothing to ask the bank; tells every
 * person who can act.
 *
 * @param input.note what the payee added, cleaned, or null
 * @throws AppError as for confirming
 */
export async function disputePayeeDetails(
  services: WriteServices,
  origin: Origin,
  input: LinkInput & { note: string | null },
): Promise<void> {
  const link = await getOpenPayeeLink(services, input);
  const { organizationId, payee, verificationId } = link;
  const { note } = input;
  const acting = { userId: null, organizationId, origin };
  const running = await findRunningCheck(services, organizationId, verificationId);
  const held = holdAuthorisedPayments(services, acting, { payee, cause: "payee_disputed" });
  await answer(
    services,
    origin,
    { input, found: link },
    {
      statements: [...disputeStatements(services, link, note), ...held.statements, ...stopCheck(services, running)],
      audit: [{ action: "verification.disputed_by_payee", entityId: verificationId, details: { note } }],
      woken: running && (await listCheckJobs(services, running.id)),
    },
  );
}

function disputeStatements({ db, clock }: WriteServices, link: FoundPayeeLink, note: string | null): Statement[] {
  const now = clock.now();
  return [
    db.update(verifications).set({ disputedByPayeeAt: now, disputeNote: note }).where(isLinked(link)),
    db
      .update(payees)
      .set({ disputedAt: now, version: sql`${payees.version} + 1`, updatedAt: now })
      .where(and(eq(payees.organizationId, link.organizationId), eq(payees.id, link.payee.id))),
  ];
}

function stopCheck(services: WriteServices, running: Awaited<ReturnType<typeof findRunningCheck>>): Statement[] {
  if (!running) return [];
  return [
    endBankCheck(services, running, { outcome: "unable", reasonCode: "payee_disputed" }),
    wakeJob(services, "bank_check", running.id),
  ];
}

const isLinked = (link: FoundPayeeLink) =>
  and(eq(verifications.organizationId, link.organizationId), eq(verifications.id, link.verificationId));

/** The condition that nobody has answered or decided, and that the link still works. */
function linkIsOpen({ db, clock }: WriteServices, link: FoundPayeeLink): Condition<"link_closed"> {
  const found = rowIn(db, verifications)
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

/** Writes an answer; pressing the button a second time shows the first result. */
async function answer(
  services: WriteServices,
  origin: Origin,
  link: { input: LinkInput; found: FoundPayeeLink },
  written: CommandPart & { woken?: readonly WokenJob[] },
): Promise<void> {
  const { woken, ...part } = written;
  const { input, found } = link;
  const result = await runCommand(
    services,
    { userId: null, organizationId: found.organizationId, origin },
    { conditions: [linkIsOpen(services, found)], parts: [part], woken },
  );
  if (result.ok) return;
  await getOpenPayeeLink(services, input);
  throw verificationChanged();
}

/** Where a payee's link is sent. */
export type PayeeContact = { channel: NotificationChannel; to: string };

type Reachable = { email: string | null; phone: string | null };

const mobileOf = ({ phone }: Reachable) => (phone !== null && isMobile(phone) ? phone : undefined);

/** The payee's email address, otherwise a mobile for a text message; with a channel given, only that one. */
export function findPayeeContact(payee: Reachable, channel?: NotificationChannel): PayeeContact | undefined {
  if (payee.email !== null && channel !== "sms") return { channel: "email", to: payee.email };
  const mobile = mobileOf(payee);
  return mobile !== undefined && channel !== "email" ? { channel: "sms", to: mobile } : undefined;
}

/** @throws AppError 409 PAYEE_CONTACT_REQUIRED */
export function requirePayeeContact(payee: Reachable, channel?: NotificationChannel): PayeeContact {
  const contact = findPayeeContact(payee, channel);
  if (contact) return contact;
  const missing = { email: "an email address", sms: "a mobile number", any: "an email address or a mobile number" };
  throw new AppError("PAYEE_CONTACT_REQUIRED", `Add ${missing[channel ?? "any"]} to the payee first.`);
}

/** Both ways to reach the payee, as the bank-data provider wants them. */
export function toBankDataContact(payee: Reachable): { email?: string; mobile?: string } {
  return { email: payee.email ?? undefined, mobile: mobileOf(payee) };
}

export const MISSING_PARAMETERS = "Missing required parameters";

/** The ids that a link contains besides its token; both are required (specification, section 5). */
export const linkIdsSchema = z.object({
  vid: z.string({ error: MISSING_PARAMETERS }).min(1, MISSING_PARAMETERS).max(100, "This id is too long"),
  pid: z.string({ error: MISSING_PARAMETERS }).min(1, MISSING_PARAMETERS).max(100, "This id is too long"),
});

const note = z
  .string({ error: "A note must be text." })
  .refine(isStorable, "The note has characters that cannot be kept.")
  .transform(cleanText)
  .pipe(z.string().max(MAX_DISPUTE_NOTE, `Keep the note to ${MAX_DISPUTE_NOTE} characters.`))
  .transform((text) => text || null)
  .nullish()
  .transform((text) => text ?? null);

/** A payee's answer as an API call. */
export const linkAnswerSchema = linkIdsSchema.extend({
  response: z.enum(["confirm", "dispute"], { error: 'Send "confirm" or "dispute".' }),
  note,
});

/** A payee's answer on the page; "continue" leads on to the bank after an answer. */
export const linkFormSchema = z.object({
  response: z.enum(["confirm", "dispute", "continue"], { error: "Choose one of the two answers." }),
  note,
});

export const sendLinkSchema = z.object({
  channel: z.enum(NOTIFICATION_CHANNELS, { error: 'Send "email" or "sms".' }).optional(),
});
