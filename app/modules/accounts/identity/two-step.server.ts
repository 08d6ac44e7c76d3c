import { recoveryCodes, twoSteps } from "@db/database";
import { and, count, eq, isNull } from "drizzle-orm";
import { renderSVG } from "uqr";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { toBase32 } from "~/kernel/encodings";
import { codeField, currentPasswordField } from "~/kernel/fields.schema.server";
import { appPaths } from "~/kernel/paths/app";
import { type NewJob, runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import { type Person, type Services, signedInWithPasskey, type WriteServices } from "~/services-and-actor";
import { aboutUser, asAccountActor, removeTwoStep } from "./account.server";
import {
  changedMeanwhile,
  formatRecoveryCode,
  NEW_FOR_MS,
  newTotpSecret,
  openTotpSecret,
  parseRecoveryCode,
  RECOVERY_CODE_COUNT,
  requireCode,
  requireOwnPasskey,
  requirePassword,
  requirePasswordAndCode,
  sealTotpSecret,
  totpUri,
  twoStepIs,
} from "./proof.server";
import { getSignedIn, replaceSessions, type SignedIn } from "./session.server";

export const codeProofSchema = z.object({ currentPassword: currentPasswordField, code: codeField });

export const codeSchema = z.object({ code: codeField });

const alreadyOn = () => new AppError("TWO_STEP_ON", "Two-step sign-in is already turned on.");

/**
 * Starts setting up two-step sign-in: creates a secret that waits for the first code. Starting again creates a new
 * secret.
 * @throws AppError 400 beside `currentPassword`, 409 TWO_STEP_ON, CHANGED_MEANWHILE
 */
export async function beginTwoStep(services: Services, person: Person, input: { currentPassword: string }) {
  const { db, clock } = services;
  const { userId } = person;
  await requireOwnPasskey(services, person);
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
  });
  if (!result.ok) throw result.refused === "two_step_changed" ? alreadyOn() : changedMeanwhile();
}

/** Deletes a secret that was never used. */
export async function abandonTwoStep(services: WriteServices, person: Person): Promise<void> {
  const unused = and(eq(twoSteps.userId, person.userId), isNull(twoSteps.enabledAt));
  await runCommand(services, asAccountActor(person), {
    statements: [services.db.delete(twoSteps).where(unused)],
    audit: [{ action: "user.two_step_abandoned", ...aboutUser(person.userId) }],
  });
}

/**
 * Turns two-step sign-in on with the first code from the app. Sessions that began without a code end.
 * @throws AppError 400 beside `currentPassword` or `code`, 409 TWO_STEP_ON, TWO_STEP_NOT_BEGUN, CHANGED_MEANWHILE
 */
export async function enableTwoStep(
  services: Services,
  person: Person,
  input: { currentPassword: string; code: string },
): Promise<WithCodes> {
  const { db, clock } = services;
  const { userId, origin } = person;
  await requireOwnPasskey(services, person);
  const password = await requirePassword(services, person, input.currentPassword);
  if (password.account.twoStep) throw alreadyOn();
  const [begun] = await db
    .select({ sealedSecret: twoSteps.sealedSecret, lastStep: twoSteps.lastStep })
    .from(twoSteps)
    .where(eq(twoSteps.userId, userId));
  if (!begun) throw new AppError("TWO_STEP_NOT_BEGUN", "Start again: there is no code to compare with.");
  const code = await requireCode(services, userId, begun, input.code);
  const made = await makeRecoveryCodes(services, userId);
  const session = await replaceSessions(services, person);
  const now = clock.now();
  const countsFrom = person.provenAt !== undefined || signedInWithPasskey(person, now) ? now : now + NEW_FOR_MS;
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: [twoStepIs(services, userId, "off"), ...password.conditions, ...code.conditions],
    statements: [
      ...password.statements,
      ...code.statements,
      db.update(twoSteps).set({ enabledAt: now, countsFrom }).where(eq(twoSteps.userId, userId)),
      ...made.statements,
      ...session.statements,
    ],
    audit: [{ action: "user.two_step_enabled", ...aboutUser(userId) }],
    jobs: await queueTwoStepEmail(services, person, "enabled"),
  });
  if (!ok) throw changedMeanwhile();
  return { ...(await getSignedIn(services, origin, session)), codes: made.codes };
}

type Typed = { currentPassword: string; code: string };

/** Turns two-step sign-in off. @throws AppError 400 beside `currentPassword` or `code`, 409 */
export async function disableTwoStep(services: Services, person: Person, input: Typed): Promise<SignedIn> {
  await requireOwnPasskey(services, person);
  const proof = await requirePasswordAndCode(services, person, input);
  const session = await replaceSessions(services, person);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: proof.conditions,
    statements: [...proof.statements, ...removeTwoStep(services, person.userId), ...session.statements],
    audit: [{ action: "user.two_step_disabled", ...aboutUser(person.userId) }],
    jobs: await queueTwoStepEmail(services, person, "disabled"),
  });
  if (!ok) throw changedMeanwhile();
  return getSignedIn(services, person.origin, session);
}

/** Makes new recovery codes; the old ones stop working. @throws AppError 400 beside `currentPassword` or `code`, 409 */
export async function renewRecoveryCodes(services: Services, person: Person, input: Typed): Promise<WithCodes> {
  await requireOwnPasskey(services, person);
  const proof = await requirePasswordAndCode(services, person, input);
  const made = await makeRecoveryCodes(services, person.userId);
  const session = await replaceSessions(services, person);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: proof.conditions,
    statements: [...proof.statements, ...made.statements, ...session.statements],
    audit: [{ action: "user.recovery_codes_renewed", ...aboutUser(person.userId) }],
    jobs: await queueTwoStepEmail(services, person, "recovery_codes"),
  });
  if (!ok) throw changedMeanwhile();
  return { ...(await getSignedIn(services, person.origin, session)), codes: made.codes };
}

/** A signed-in person, and recovery codes that are shown once and stored only as hashes. */
type WithCodes = SignedIn & { codes: string[] };

const RECOVERY_CODE_BYTES = 10;

async function makeRecoveryCodes({ db, clock, secrets }: Services, userId: string) {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    formatRecoveryCode(toBase32(crypto.getRandomValues(new Uint8Array(RECOVERY_CODE_BYTES)))),
  );
  const createdAt = clock.now();
  const rows = await Promise.all(
    codes.map(async (code) => ({
      userId,
      codeHash: await secrets.hashToken(parseRecoveryCode(code) ?? ""),
      createdAt,
    })),
  );
  return {
    codes,
    statements: [
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
      db.insert(recoveryCodes).values(rows),
    ],
  };
}

/** Queues the email about a change to a person's two-step sign-in. */
function queueTwoStepEmail(
  services: WriteServices,
  { organizationId, email, firstName }: Person,
  change: "enabled" | "disabled" | "recovery_codes",
): Promise<NewJob[]> {
  const at = formatDateTime(services.clock.now());
  const href = `${services.config.appOrigin}${appPaths.twoStep}`;
  return queueEmail(services, organizationId, [email], {
    template: "twoStepChanged",
    data: { firstName, change, at, href },
  });
}

/** The blank margin around a QR code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;
const GROUPS = /.{1,4}/g;

/** The state of a person's two-step sign-in, for their page. */
export async function readTwoStep(services: Services, person: Person): Promise<TwoStepView> {
  const { db } = services;
  const { userId, email } = person;
  const [row] = await db
    .select({ sealedSecret: twoSteps.sealedSecret, enabledAt: twoSteps.enabledAt })
    .from(twoSteps)
    .where(eq(twoSteps.userId, userId));
  if (!row) return { state: "off" };
  if (row.enabledAt === null) {
    const secret = await openTotpSecret(services, userId, row.sealedSecret);
    const svg = renderSVG(totpUri(secret, email), { border: QUIET_ZONE });
    return {
      state: "setting_up",
      image: `data:image/svg+xml;base64,${btoa(svg)}`,
      secret: secret.match(GROUPS)?.join(" ") ?? "",
    };
  }
  const [left] = await db
    .select({ count: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return { state: "on", enabledAt: row.enabledAt, codesLeft: left?.count ?? 0 };
}

/** The state of two-step sign-in, as the page shows it. */
type TwoStepView =
  | { state: "off" }
  | {
      state: "setting_up";
      image: string;
      /** The same secret for typing, in groups of four. */
      secret: string;
    }
  | { state: "on"; enabledAt: number; codesLeft: number };
