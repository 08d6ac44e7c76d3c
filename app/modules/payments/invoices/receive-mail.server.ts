import { invoiceSettings, organizations, organizationUsers, users } from "@db/database";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { normalizeEmail } from "~/kernel/email";
import { readAtMost, sha256Hex } from "~/kernel/encodings";
import { MAILED_INVOICES_PER_DAY } from "~/kernel/limits";
import type { ReadServices, Services, TimedServices } from "~/services-and-actor";
import { MAX_INVOICE_BYTES } from "./invoice";
import { authenticationOf, isAutomatic, type MailHeader, senderOf, splitMail, valuesOf } from "./mail-headers";
import { findSame, type MailOrigin, type ReadingInvoices, takeInInvoice } from "./take-in-invoice.server";

/** A message as the platform delivers it. */
export type ArrivingMail = {
  /** The envelope sender; empty for a delivery report. */
  from: string;
  to: string;
  /** In bytes, as the platform reports it. */
  size: number;
  raw: ReadableStream<Uint8Array>;
};

export type ReceivedMail =
  /** Nothing was stored; the sending server receives the sentence. */
  { isRefused: true; reason: string } | { isRefused: false; invoiceId: string; organizationId: string };

const refuse = (reason: string): ReceivedMail => ({ isRefused: true, reason });

const NO_ADDRESS = "This address does not exist";
const TOO_LARGE = `The message is larger than ${MAX_INVOICE_BYTES / 1024 / 1024} MB`;
const TOO_MANY = "Too many messages today: try again tomorrow";

/**
 * Stores an email sent to an organisation's invoice address, once for each message id and content. A message to an
 * unknown or disabled address is refused before its content is read. Anybody may write to a valid address, but replies
 * go only to members and to the addresses that the organisation listed, and only when the platform confirms the sender;
 * other emails are stored and listed without a reply.
 */
export async function receiveMail(services: ReadingInvoices, mail: ArrivingMail): Promise<ReceivedMail> {
  const box = await findBox(services, mail.to);
  if (!box) return refuse(NO_ADDRESS);
  if (mail.size > MAX_INVOICE_BYTES) return refuse(TOO_LARGE);
  const bytes = await readAtMost(mail.raw, MAX_INVOICE_BYTES);
  if (!bytes) {
    await mail.raw.cancel();
    return refuse(TOO_LARGE);
  }
  const { headers, body } = splitMail(bytes);
  const { organizationId } = box;
  const digest = await digestOf(headers, body);
  const before = await findSame(services, organizationId, { mailDigest: digest });
  if (before) return { isRefused: false, invoiceId: before, organizationId };
  const sender = senderOf(headers);
  const authentication = authenticationOf(headers);
  const known = authentication === "pass" && sender !== null ? await findKnown(services, box, sender) : undefined;
  if (await isOverLimit(services, { organizationId, sender, isKnown: known !== undefined })) return refuse(TOO_MANY);
  const isAnswered = known && !isAutomatic(headers, mail.from) && !isOurs(services, sender);
  const requestId = services.ids.next();
  const acting = { userId: known?.userId ?? null, organizationId, origin: { ...NOWHERE, requestId } };
  const origin: MailOrigin = {
    sender,
    authentication,
    digest,
    isKnown: known !== undefined,
    replyTo: isAnswered ? sender : null,
  };
  try {
    const fileName = `Email${sender === null ? "" : ` (${sender})`}.eml`;
    const { invoiceId } = await takeInInvoice(services, acting, { fileName, bytes, source: "email", mail: origin });
    return { isRefused: false, invoiceId, organizationId };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return refuse(REFUSALS[error.status] ?? "It was not accepted");
    throw error;
  }
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: "This email cannot be read",
  402: "This address receives nothing at the moment",
};

const NOWHERE = { ipAddress: null, userAgent: null };

type Box = { organizationId: string; mailSenders: string[] };

/** The organisation that has the address at present. */
async function findBox(services: ReadingInvoices, to: string): Promise<Box | undefined> {
  const { invoiceMailDomain } = services.config;
  const [, key = "", domain = ""] = /^<?([^@<>]+)@([^@<>]+)>?$/.exec(to.trim().toLowerCase()) ?? [];
  if (key === "" || domain !== invoiceMailDomain) return undefined;
  const [row] = await services.db
    .select({ organizationId: invoiceSettings.organizationId, mailSenders: invoiceSettings.mailSenders })
    .from(invoiceSettings)
    .innerJoin(organizations, eq(organizations.id, invoiceSettings.organizationId))
    .where(and(eq(invoiceSettings.mailKey, key), isNotNull(invoiceSettings.mailKey), eq(organizations.active, true)));
  return row;
}

/**
 * Headers that the sender writes. Servers on the way add others, so the same message can arrive with different bytes.
 */
const OF_THE_SENDER = ["message-id", "date", "from", "reply-to", "subject", "content-type"];

async function digestOf(headers: readonly MailHeader[], body: Uint8Array<ArrayBuffer>): Promise<string> {
  const head = OF_THE_SENDER.map((name) => JSON.stringify(valuesOf(headers, name))).join("\n");
  return sha256Hex(new TextEncoder().encode(`${head}\n${await sha256Hex(body)}`));
}

/** An active member with a confirmed address, or an address that the organisation listed. */
async function findKnown({ db }: ReadServices, { organizationId, mailSenders }: Box, sender: string) {
  const [person] = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(
      organizationUsers,
      and(eq(organizationUsers.userId, users.id), eq(organizationUsers.organizationId, organizationId)),
    )
    .where(
      and(
        eq(users.email, sender),
        isNotNull(users.emailVerifiedAt),
        eq(users.status, "active"),
        eq(organizationUsers.status, "active"),
      ),
    );
  if (person) return { userId: person.id };
  return mailSenders.includes(sender) ? { userId: null } : undefined;
}

/**
 * Emails from strangers have separate limits, so that they cannot use up those of the members. An unauthenticated
 * sender address can be anything but is counted too; the daily limit stops people who change it each time.
 */
async function isOverLimit(
  { db, clock }: TimedServices,
  { organizationId, sender, isKnown }: { organizationId: string; sender: string | null; isKnown: boolean },
): Promise<boolean> {
  const since = clock.now() - DAY_MS;
  const limits = isKnown ? MAILED_INVOICES_PER_DAY.known : MAILED_INVOICES_PER_DAY.others;
  const [row] = await db.all<{ total: number; ofSender: number }>(sql`SELECT count(*) AS "total",
    count(*) FILTER (WHERE "fromAddress" IS ${sender}) AS "ofSender" FROM "invoices"
    WHERE "organizationId" = ${organizationId} AND "receivedAt" > ${since} AND "mailAuthentication" IS NOT NULL
      AND "mailIsKnown" = ${isKnown ? 1 : 0}`);
  return (row?.total ?? 0) >= limits.all || (row?.ofSender ?? 0) >= limits.ofOne;
}

/** True if we sent the message ourselves, or one of these addresses is ours. */
function isOurs({ config }: Pick<Services, "config">, sender: string | null): boolean {
  if (sender === null) return false;
  return sender === normalizeEmail(config.mailFrom) || sender.endsWith(`@${config.invoiceMailDomain}`);
}
