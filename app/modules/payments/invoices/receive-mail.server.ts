import { invoiceSettings, invoices, organizations, organizationUsers, users } from "@db/schema";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { normalizeEmail } from "~/kernel/email";
import { sha256Hex } from "~/kernel/encodings";
import { MAILED_INVOICES_PER_DAY } from "~/kernel/limits";
import type { ReadServices, Services } from "~/services";
import { MAX_INVOICE_BYTES } from "./invoice";
import { authenticationOf, isAutomatic, type MailHeader, senderOf, splitMail, valuesOf } from "./mail-headers";
import { type MailCame, type ReadingInvoices, takeInInvoice } from "./take-in-invoice.server";

/** A message as the platform hands it over. */
export type ArrivingMail = {
  /** Of the envelope; empty: it is a report. */
  from: string;
  to: string;
  /** As the platform says it. */
  size: number;
  raw: ReadableStream<Uint8Array>;
};

export type ReceivedMail =
  /** Nothing was kept; the sentence goes back to the sending server. */
  { isRefused: true; reason: string } | { isRefused: false; invoiceId: string; organizationId: string };

const refuse = (reason: string): ReceivedMail => ({ isRefused: true, reason });

const NO_ADDRESS = "This address does not exist";
const TOO_LARGE = `The message is larger than ${MAX_INVOICE_BYTES / 1024 / 1024} MB`;
const TOO_MANY = "Too many messages today: try again tomorrow";

/**
 * Takes in an email to an organisation's address for invoices, once by its id and bytes. A message to an address that does
 * not exist, or is switched off, is refused before anything of it is read. Anybody may write to an address that exists:
 * who is answered are the organisation's people and the addresses that it names, when the platform says that the message
 * is theirs; what anybody else sends is kept and listed.
 */
export async function receiveMail(services: ReadingInvoices, mail: ArrivingMail): Promise<ReceivedMail> {
  const box = await findBox(services, mail.to);
  if (!box) return refuse(NO_ADDRESS);
  if (mail.size > MAX_INVOICE_BYTES) return refuse(TOO_LARGE);
  const bytes = await readAtMost(mail.raw, MAX_INVOICE_BYTES);
  if (!bytes) return refuse(TOO_LARGE);
  const { headers, body } = splitMail(bytes);
  const { organizationId } = box;
  const digest = await digestOf(headers, body);
  const before = await findByDigest(services, organizationId, digest);
  if (before) return { isRefused: false, invoiceId: before, organizationId };
  const sender = senderOf(headers);
  const authentication = authenticationOf(headers);
  const known = authentication === "pass" && sender !== null ? await findKnown(services, box, sender) : undefined;
  if (await isOverLimit(services, { organizationId, sender, isKnown: known !== undefined })) return refuse(TOO_MANY);
  const isAnswered = known && !isAutomatic(headers, mail.from) && !isOurs(services, sender);
  const requestId = services.ids.next();
  const acting = { userId: known?.userId ?? null, organizationId, origin: { ...NOWHERE, requestId } };
  const came: MailCame = {
    sender,
    authentication,
    digest,
    isKnown: known !== undefined,
    replyTo: isAnswered ? sender : null,
  };
  try {
    const fileName = `Email${sender === null ? "" : ` (${sender})`}.eml`;
    const { invoiceId } = await takeInInvoice(services, acting, { fileName, bytes, source: "email", mail: came });
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

/** The organisation that has the address now. */
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

/** The bytes of a stream; undefined where there are more, and the rest is let go. */
async function readAtMost(
  raw: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = raw.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    if (size > limit) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** Written by who sends it; servers on the way add headers, so that the same message arrives in other bytes. */
const OF_THE_SENDER = ["message-id", "date", "from", "reply-to", "subject", "content-type"];

async function digestOf(headers: readonly MailHeader[], body: Uint8Array<ArrayBuffer>): Promise<string> {
  const head = OF_THE_SENDER.map((name) => JSON.stringify(valuesOf(headers, name))).join("\n");
  return sha256Hex(new TextEncoder().encode(`${head}\n${await sha256Hex(body)}`));
}

async function findByDigest({ db }: ReadServices, organizationId: string, digest: string) {
  const [row] = await db
    .select({ id: invoices.id })
    .from(invoices)
    .where(
      and(eq(invoices.organizationId, organizationId), eq(invoices.mailDigest, digest), isNotNull(invoices.mailDigest)),
    );
  return row?.id;
}

/** One of the organisation's active people whose address is confirmed, or an address that it names. */
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
 * What strangers send has limits of its own, so that they cannot use up those of the organisation's people. An address that
 * nobody vouches for is any text, and counts all the same: the day's limit bounds those who change it.
 */
async function isOverLimit(
  { db, clock }: Pick<Services, "db" | "clock">,
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

/** We wrote it ourselves, or one of these addresses did. */
function isOurs({ config }: Pick<Services, "config">, sender: string | null): boolean {
  if (sender === null) return false;
  return sender === normalizeEmail(config.mailFrom) || sender.endsWith(`@${config.invoiceMailDomain}`);
}
