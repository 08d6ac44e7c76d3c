import { twoSteps } from "@db/schema";
import { and, eq, isNull } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { NotifyServices, Services, WriteServices } from "~/services";
import { aboutUser, asAccountActor } from "../account-actor";
import { changedMeanwhile, requireCode, requirePassword } from "../reauthenticate.server";
import { replaceSessions } from "../sessions/session.server";
import { getSignedIn } from "../sessions/signed-in.server";
import { makeRecoveryCodes, queueTwoStepEmail, type WithCodes } from "./recovery-code.server";
import { newTotpSecret } from "./totp.server";
import { sealTotpSecret, twoStepIs } from "./two-step.server";

type SettingUp = NotifyServices & Pick<Services, "passwords">;

const alreadyOn = () => new AppError("TWO_STEP_ON", 409, "Two-step sign-in is turned on already.");

/**
 * Begins to set up two-step sign-in: a secret that waits for the first code. Beginning again makes a new secret.
 * @throws AppError 400 beside `currentPassword`, 409 TWO_STEP_ON, CHANGED_MEANWHILE
 */
export async function beginTwoStep(
  services: SettingUp,
  person: Person,
  input: { currentPassword: string },
): Promise<void> {
  const { db, clock } = services;
  const { userId } = person;
  const proof = await requirePassword(services, person, input.currentPassword);
  const secret = {
    sealedSecret: await sealTotpSecret(services, userId, newTotpSecret()),
    createdAt: clock.now(),
  };
  const result = await runCommand(services, asAccountActor(person), {
    conditions: [twoStepIs(services, userId, "off"), ...proof.conditions],
    statements: [
      ...proof.statements,
      db
        .insert(twoSteps)
        .values({ userId, ...secret })
        .onConflictDoUpdate({ target: twoSteps.userId, set: secret }),
    ],
    audit: [{ action: "user.two_step_begun", ...aboutUser(userId) }],
    answer: undefined,
  });
  if (!result.ok) throw result.refused === "two_step_changed" ? alreadyOn() : changedMeanwhile();
}

/** Deletes a secret that was never used. */
export async function abandonTwoStep(services: WriteServices, person: Person): Promise<void> {
  const unused = and(eq(twoSteps.userId, person.userId), isNull(twoSteps.enabledAt));
  await runCommand(services, asAccountActor(person), {
    statements: [services.db.delete(twoSteps).where(unused)],
    audit: [{ action: "user.two_step_abandoned", ...aboutUser(person.userId) }],
    answer: undefined,
  });
}

/**
 * Turns two-step sign-in on, with the first code of the app. Sessions that began without a code end.
 * @throws AppError 400 beside `currentPassword` or `code`, 409 TWO_STEP_ON, TWO_STEP_NOT_BEGUN, CHANGED_MEANWHILE
 */
export async function enableTwoStep(
  services: SettingUp,
  person: Person,
  input: { currentPassword: string; code: string },
): Promise<WithCodes> {
  const { db, clock } = services;
  const { userId, origin } = person;
  const password = await requirePassword(services, person, input.currentPassword);
  if (password.account.twoStep) throw alreadyOn();
  const [begun] = await db
    .select({ sealedSecret: twoSteps.sealedSecret, lastStep: twoSteps.lastStep })
    .from(twoSteps)
    .where(eq(twoSteps.userId, userId));
  if (!begun) throw new AppError("TWO_STEP_NOT_BEGUN", 409, "Start again: there is no code to compare with.");
  const code = await requireCode(services, userId, begun, input.code);
  const made = await makeRecoveryCodes(services, userId);
  const session = await replaceSessions(services, person);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: [twoStepIs(services, userId, "off"), ...password.conditions, ...code.conditions],
    statements: [
      ...password.statements,
      ...code.statements,
      db.update(twoSteps).set({ enabledAt: clock.now() }).where(eq(twoSteps.userId, userId)),
      ...made.statements,
      ...session.statements,
    ],
    audit: [{ action: "user.two_step_enabled", ...aboutUser(userId) }],
    jobs: await queueTwoStepEmail(services, person, "enabled"),
    answer: undefined,
  });
  if (!ok) throw changedMeanwhile();
  return { ...(await getSignedIn(services, origin, session)), codes: made.codes };
}
