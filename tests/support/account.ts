import { auditLogs, outbox, sessions, twoSteps } from "@db/database";
import { and, desc, eq } from "drizzle-orm";
import type { Email } from "~/emails/templates";
import { sendPasswordReset } from "~/modules/accounts/identity/password.server";
import { findPersonBySession } from "~/modules/accounts/identity/person.server";
import { totpCode, totpStep } from "~/modules/accounts/identity/proof.server";
import { openSession } from "~/modules/accounts/identity/session.server";
import { beginTwoStep, enableTwoStep, readTwoStep } from "~/modules/accounts/identity/two-step.server";
import type { Job } from "~/modules/core/commands/job";
import { claimJob } from "~/modules/core/commands/outbox.server";
import type { Person, Services } from "~/services-and-actor";
import { aPerson, ORIGIN, PASSWORD } from "./people";
import type { TestServices } from "./services";

/** A person with a session that has just been opened, as the next request loads them. */
export async function signedIn(services: Services, userId: string, origin = ORIGIN): Promise<Person> {
  const session = await openSession(services, userId, origin);
  await services.db.batch([session.statement as never]);
  return again(services, session.sessionId);
}

/** The person as they are now. */
export async function again(services: Services, sessionId: string): Promise<Person> {
  const found = await findPersonBySession(services, sessionId, ORIGIN);
  if (!found) throw new Error("the session is over");
  return found.person;
}

/** A new person, signed in. */
export async function someone(services: Services, who: Parameters<typeof aPerson>[1] = {}): Promise<Person> {
  return signedIn(services, (await aPerson(services, who)).id);
}

/** The code that a person's app shows now, or some steps from now. */
export const codeAt = (services: Services, secret: string, steps = 0): Promise<string> =>
  totpCode(secret, totpStep(services.clock.now()) + steps);

export const STEP_MS = 30_000;

/** A person who set up two-step sign-in more than a day ago, with the secret and the recovery codes. */
export async function someoneWithTwoStep(services: TestServices, who: Parameters<typeof aPerson>[1] = {}) {
  const person = await someone(services, who);
  const secret = await beginTwo(services, person);
  const code = await codeAt(services, secret);
  const enabled = await enableTwoStep(services, person, { currentPassword: PASSWORD, code });
  await services.db.update(twoSteps).set({ countsFrom: 0 }).where(eq(twoSteps.userId, person.userId));
  // Waits for the next code, because a code works once.
  services.clock.advance(STEP_MS);
  return { person: enabled.person, secret, codes: enabled.codes };
}

/** Begins to set up two-step sign-in. @returns the secret that the page shows */
export async function beginTwo(services: Services, person: Person): Promise<string> {
  await beginTwoStep(services, person, { currentPassword: PASSWORD });
  const view = await readTwoStep(services, person);
  if (view.state !== "setting_up") throw new Error(`two-step sign-in is ${view.state}`);
  return view.secret.replaceAll(" ", "");
}

export type SentMail = Email & { to: string };

/** Every email that these services have queued, in order. */
export async function mailsOf(services: TestServices): Promise<SentMail[]> {
  const mails: SentMail[] = [];
  for (const jobId of new Set(services.sent.map((sent) => sent.jobId))) {
    const [job] = await services.db.select().from(outbox).where(eq(outbox.id, jobId));
    if (!job?.sealedPayload || !/^(safety_)?email$/.test(job.kind)) continue;
    mails.push(JSON.parse(await services.secrets.open(job.sealedPayload, jobId)) as SentMail);
  }
  return mails;
}

/** The templates of the emails to one address, in order. */
export async function mailsTo(services: TestServices, address: string): Promise<string[]> {
  return (await mailsOf(services)).filter((mail) => mail.to === address).map((mail) => mail.template);
}

/** The token in the newest link to an address. */
export async function tokenSentTo(services: TestServices, address: string): Promise<string> {
  const mails = (await mailsOf(services)).filter((mail) => mail.to === address && "link" in mail.data);
  const data = mails.at(-1)?.data as { link: string } | undefined;
  return data?.link.split("/").at(-1) ?? "";
}

/** Runs the pending jobs of password resets. */
export async function workOnResets(services: TestServices): Promise<void> {
  for (const { jobId } of [...services.sent]) {
    const [job] = await services.db.select().from(outbox).where(eq(outbox.id, jobId));
    if (job?.kind !== "password_reset" || job.status !== "pending") continue;
    await sendPasswordReset(services, (await claimJob(services, jobId)) as Job);
  }
}

/** The audit actions of a person, newest first. */
export async function trailOf(services: Services, organizationId: string, userId: string): Promise<string[]> {
  const rows = await services.db
    .select({ action: auditLogs.action })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.userId, userId)))
    .orderBy(desc(auditLogs.position));
  return rows.map((row) => row.action);
}

export async function sessionsOf(services: Services, userId: string): Promise<string[]> {
  const rows = await services.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId));
  return rows.map((row) => row.id);
}
