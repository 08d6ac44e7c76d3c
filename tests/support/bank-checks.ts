import { bankChecks, outbox, payees, verifications } from "@db/database";
import { and, desc, eq } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import { confirmPayeeDetails, type LinkInput } from "~/modules/payees/payee-links/payee-link.server";
import { startBankConsent } from "~/modules/verifying/bank-checks/bank-consent.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import type { InstantAnswer, InstantBankData } from "~/ports/instant-bank-data";
import type { Actor, Services } from "~/services-and-actor";
import { aMember } from "./factories";
import { aWorld, type World } from "./simulators";
import { aPendingVerification } from "./verifications";

export const PAYEE_ORIGIN = { ipAddress: "198.51.100.9", userAgent: "a payee's phone", requestId: "test" };

export type Case = {
  actor: Actor;
  organizationId: string;
  payeeId: string;
  verificationId: string;
  details: PayeeDetails;
};

/** A pending verification, by a member of an organisation of its own. */
export async function aCase(world: World, payee: Partial<PayeeDetails> = {}): Promise<Case> {
  const actor = await aMember(world);
  return { actor, ...(await aPendingVerification(world, actor, { payee })) };
}

/** The same with the bank check started and its link sent. */
export async function aStartedCheck(world: World, payee: Partial<PayeeDetails> = {}): Promise<Case> {
  const started = await aCase(world, payee);
  await startBankDataCheck(world, started.actor, started);
  await world.drain();
  return started;
}

/** The same after the payee agreed and was redirected to the bank. @returns the `state` parameter */
export async function aPayeeAtTheBank(
  world: World,
  payee: Partial<PayeeDetails> = {},
): Promise<Case & { state: string; link: LinkInput }> {
  const started = await aStartedCheck(world, payee);
  const link = await linkInMail(world);
  await confirmPayeeDetails(world, PAYEE_ORIGIN, link);
  const consent = await startBankConsent(world, PAYEE_ORIGIN, link);
  if (!consent) throw new Error("no consent waits");
  await world.drain();
  return { ...started, link, state: new URL(consent.consentUrl).searchParams.get("state") ?? "" };
}

const LINK = /\/verify\/([^?\s]+)\?vid=([0-9a-f-]+)&pid=([0-9a-f-]+)/;

export function linkIn(text: string): LinkInput {
  const [, token = "", vid = "", pid = ""] = LINK.exec(text) ?? [];
  if (!token) throw new Error("no link in the message");
  return { token, vid, pid };
}

/** The newest payee link that was mailed. */
export async function linkInMail(world: World): Promise<LinkInput> {
  const mail = (await world.mails()).find(({ text }) => LINK.test(text));
  return linkIn(mail?.text ?? "");
}

export async function readVerification({ db }: Services, { organizationId, verificationId }: Case) {
  const [row] = await db
    .select()
    .from(verifications)
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId)));
  if (!row) throw new Error("no such verification");
  return row;
}

export async function readPayee({ db }: Services, { organizationId, payeeId }: Case) {
  const [row] = await db
    .select()
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)));
  if (!row) throw new Error("no such payee");
  return row;
}

/** Newest first. */
export function readChecks({ db }: Services, { organizationId, verificationId }: Case) {
  return db
    .select()
    .from(bankChecks)
    .where(and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.verificationId, verificationId)))
    .orderBy(desc(bankChecks.id));
}

/** The job of the newest check. */
export async function readCheckJob(services: Services, of: Case) {
  const [check] = await readChecks(services, of);
  const [job] = await services.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.subjectId, check?.id ?? ""), eq(outbox.kind, "bank_check")));
  if (!job) throw new Error("no such job");
  return job;
}

const MATCH: InstantAnswer = { verdict: "match", name: "WATTLE CREEK ELECTRICAL PTY LTD" };

/** A world in which banks are asked automatically and always give this answer. */
export function anAskingWorld(answer: InstantAnswer = MATCH) {
  const world = aWorld();
  world.config.asksBanksAutomatically = true;
  const asked: Parameters<InstantBankData["lookUp"]>[0][] = [];
  const instantBankData: InstantBankData = {
    party: "cop",
    service: "Zepto",
    async lookUp(question) {
      asked.push(question);
      return answer;
    },
  };
  return Object.assign(world, { instantBankData, asked });
}
