import { env } from "cloudflare:workers";
import {
  alerts,
  changeNotices,
  openD1,
  organizationDomains,
  organizations,
  outbox,
  payees,
  verifications,
} from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import type { PayeeDetails } from "~/kernel/payee";
import type { AlertEventName } from "~/modules/messages/alerts/events";
import { addPayee } from "~/modules/payees/add-payee.server";
import type { Actor, Services } from "~/services-and-actor";
import { raiseAllAlerts } from "./alerts";
import { aMember, anOrganization } from "./factories";

/** The test's own connection to the database, whose statements are exempt from the query checks. */
export const peek = openD1((env as unknown as { DB: D1Database }).DB);

let accounts = 20_000_000;

/** Details as people type them, normalised; every one has an account and an email address of its own unless given. */
export function details(given: Partial<PayeeDetails> = {}): PayeeDetails {
  accounts += 1;
  return {
    name: "Wattle Creek Electrical",
    accountName: "Wattle Creek Electrical Pty Ltd",
    bsb: "062000",
    accountNumber: String(accounts),
    abn: null,
    email: `accounts-${accounts.toString(36)}@wattlecreek.example`,
    phone: null,
    address: null,
    ...given,
  };
}

/** A payee as people add it: pending verification, evidence, terms and all. */
export async function anAddedPayee(services: Services, actor: Actor, given: Partial<PayeeDetails> = {}) {
  const input = details(given);
  const ids = await addPayee(services, actor, { details: input });
  return { ...ids, details: input };
}

/** Another person of the same organisation. */
export const aColleague = (services: Services, actor: Actor, who: Parameters<typeof aMember>[1] = {}) =>
  aMember(services, { ...who, organization: { id: actor.organizationId, name: actor.organizationName } });

export async function readPayee(payeeId: string) {
  const [payee] = await peek.select().from(payees).where(eq(payees.id, payeeId));
  if (!payee) throw new Error("no such payee");
  return payee;
}

/** The refusal of a command. Anything else fails the test. */
export async function refusal(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

/** The emails an organisation has queued: to whom, which template, with what. */
export async function promisedMails({ secrets }: Services, organizationId: string) {
  const jobs = await peek.select().from(outbox).where(eq(outbox.organizationId, organizationId));
  return Promise.all(
    jobs
      .filter((job) => job.kind === "email" || job.kind === "safety_email")
      .map(async (job) => JSON.parse(await secrets.open(job.sealedPayload ?? "", job.id)) as Mail),
  );
}

/** The in-app alerts of an event to an organisation's people, after everything has been processed. */
export async function alertsAbout(services: Services, organizationId: string, event: AlertEventName) {
  await raiseAllAlerts(services);
  return peek
    .select({ userId: alerts.userId, title: alerts.title, body: alerts.body })
    .from(alerts)
    .where(and(eq(alerts.organizationId, organizationId), eq(alerts.event, event)));
}

type Mail = { to: string; template: string; data: Record<string, unknown>; reportHref?: string };

type Voucher = {
  /** Its confirmed domain; false: none. */
  domain?: string | false;
  paid?: boolean;
  ageInDays?: number;
  /** Days since it vouched; by default no two vouch in the same week. */
  vouchedDaysAgo?: number;
  trialEndsAt?: number;
  outcome?: "match" | "close_match" | "unable";
  global?: boolean;
};

let vouchings = 0;

/** Another organisation whose trust in an account counts, unless told otherwise. */
export async function aVoucher(services: Services, given: Partial<PayeeDetails>, how: Voucher = {}): Promise<Actor> {
  const { ids, clock } = services;
  const now = clock.now();
  const organization = await anOrganization(services, { name: "Elsewhere" });
  const actor = await aMember(services, { organization });
  const { payeeId, verificationId } = await anAddedPayee(services, actor, given);
  const organizationId = organization.id;
  if (how.domain !== false) {
    const row = { id: ids.next(), organizationId, domain: how.domain ?? `${ids.next()}.example` };
    await peek.insert(organizationDomains).values({ ...row, createdAt: now, updatedAt: now });
  }
  await peek
    .update(organizations)
    .set({
      createdAt: now - (how.ageInDays ?? 400) * DAY_MS,
      ...(how.paid !== false && { firstPaidAt: now, subscriptionStatus: "active" as const }),
    })
    .where(eq(organizations.id, organizationId));
  await peek
    .update(verifications)
    .set({ status: "verified", method: "basiq", outcome: how.outcome ?? "match" })
    .where(eq(verifications.id, verificationId));
  const whitelistedAt = now - (how.vouchedDaysAgo ?? 8 * ++vouchings) * DAY_MS;
  await peek
    .update(payees)
    .set({ whitelisted: true, whitelistGlobal: how.global ?? true, whitelistedAt })
    .where(eq(payees.id, payeeId));
  return actor;
}

/** A database in which something else happens between a read and the write that follows it. */
export function interrupted(db: Services["db"], meanwhile: () => Promise<unknown>): Services["db"] {
  let isFirst = true;
  const batch = async (statements: Parameters<Services["db"]["batch"]>[0]) => {
    if (isFirst) {
      isFirst = false;
      await meanwhile();
    }
    return db.batch(statements);
  };
  return new Proxy(db, { get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name, target)) });
}

/** The change notices to an organisation's payees' contacts, in order: recipient, subject and state. */
export const noticesOf = (organizationId: string) =>
  peek
    .select({
      id: changeNotices.id,
      to: changeNotices.recipient,
      subject: changeNotices.subject,
      status: changeNotices.status,
      problem: changeNotices.problem,
      mergedInto: changeNotices.mergedInto,
    })
    .from(changeNotices)
    .where(eq(changeNotices.organizationId, organizationId))
    .orderBy(asc(changeNotices.id));
