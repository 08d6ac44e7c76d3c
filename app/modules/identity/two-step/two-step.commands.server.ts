import type { Statement } from "@db/client";
import { recoveryCodes, twoSteps } from "@db/schema";
import { and, eq, isNull } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { toBase32 } from "~/kernel/base32";
import { formatDateTime } from "~/kernel/dates";
import type { AuditAction } from "~/modules/audit/audit";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { NewJob } from "~/modules/commands/outbox.statements.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import type { Services } from "~/services";
import { aboutThemself, actingAlone } from "../acting";
import { closing, provePassword, provePasswordAndCode, refuseCode } from "../proof.server";
import { commitWithNewSession } from "../sessions/rotation.server";
import type { SignedIn } from "../sessions/session.queries.server";
import { codeLock, requireUnlocked } from "../sign-in/sign-in-lock.server";
import { formatRecoveryCode, parseRecoveryCode, RECOVERY_CODE_COUNT } from "./recovery-code";
import { newTotpSecret } from "./totp.server";
import { sealTotpSecret, takeCode, whileTwoStep } from "./two-step.server";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "passwords" | "queues" | "config">;

/** A signed-in person with recovery codes that are shown once and kept as hashes only. */
export type WithCodes = SignedIn & { codes: string[] };

const ALREADY_ON = "Two-step sign-in is turned on already.";

/**
 * Begins to set up two-step sign-in: a secret of its own waits for the first code. Beginning again makes a new secret.
 * @throws AppError 400 beside `currentPassword`, 409 TWO_STEP_ON
 */
export async function beginTwoStep(services: Needs, person: Person, input: { currentPassword: string }): Promise<void> {
  await provePassword(services, person, input.currentPassword);
  const { db, clock } = services;
  const { userId } = person;
  const sealedSecret = await sealTotpSecret(services, userId, newTotpSecret());
  const createdAt = clock.now();
  const written = await db
    .insert(twoSteps)
    .values({ userId, sealedSecret, createdAt })
    .onConflictDoUpdate({
      target: twoSteps.userId,
      set: { sealedSecret, createdAt },
      setWhere: isNull(twoSteps.enabledAt),
    })
    .returning({ userId: twoSteps.userId });
  if (written.length === 0) throw new AppError("TWO_STEP_ON", 409, ALREADY_ON);
}

/** Forgets a secret that was never used. */
export async function abandonTwoStep({ db }: Pick<Services, "db">, person: Person): Promise<void> {
  await db.delete(twoSteps).where(and(eq(twoSteps.userId, person.userId), isNull(twoSteps.enabledAt)));
}

/**
 * Turns two-step sign-in on, with the first code of the app. Sessions that began without a code are over.
 * @throws AppError 400 beside `currentPassword` or `code`, 409 TWO_STEP_ON, TWO_STEP_NOT_BEGUN, CHANGED_MEANWHILE
 */
export async function enableTwoStep(
  services: Needs,
  person: Person,
  input: { currentPassword: string; code: string },
): Promise<WithCodes> {
  const { db, clock } = services;
  const { userId } = person;
  const proof = await provePassword(services, person, input.currentPassword);
  if (proof.account.twoStep) throw new AppError("TWO_STEP_ON", 409, ALREADY_ON);
  const [begun] = await db
    .select({ sealedSecret: twoSteps.sealedSecret, lastStep: twoSteps.lastStep })
    .from(twoSteps)
    .where(eq(twoSteps.userId, userId));
  if (!begun) throw new AppError("TWO_STEP_NOT_BEGUN", 409, "Start again: there is no code to compare with.");
  const lock = codeLock(userId);
  await requireUnlocked(services, lock);
  const uses = await takeCode(services, userId, begun, input.code);
  if (!uses) throw await refuseCode(services, lock);
  const made = await makeRecoveryCodes(services, userId);
  return change(services, person, "enabled", made.codes, [
    ...proof.statements,
    ...closing(services, lock),
    whileTwoStep(services, userId, false),
    ...uses,
    db.update(twoSteps).set({ enabledAt: clock.now() }).where(eq(twoSteps.userId, userId)),
    ...made.statements,
  ]);
}

/** Turns two-step sign-in off. @throws AppError 400 beside `currentPassword` or `code`, 409 */
export async function disableTwoStep(
  services: Needs,
  person: Person,
  input: { currentPassword: string; code: string },
): Promise<SignedIn> {
  const { db } = services;
  const { userId } = person;
  const proof = await provePasswordAndCode(services, person, input);
  return change(
    services,
    person,
    "disabled",
    [],
    [
      ...proof.statements,
      db.delete(twoSteps).where(eq(twoSteps.userId, userId)),
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    ],
  );
}

/** Makes new recovery codes; the old ones are void. @throws AppError 400 beside `currentPassword` or `code`, 409 */
export async function renewRecoveryCodes(
  services: Needs,
  person: Person,
  input: { currentPassword: string; code: string },
): Promise<WithCodes> {
  const proof = await provePasswordAndCode(services, person, input);
  const made = await makeRecoveryCodes(services, person.userId);
  return change(services, person, "recovery_codes", made.codes, [...proof.statements, ...made.statements]);
}

const ACTIONS = {
  enabled: "user.two_step_enabled",
  disabled: "user.two_step_disabled",
  recovery_codes: "user.recovery_codes_renewed",
} as const satisfies Record<string, AuditAction>;

async function change(
  services: Needs,
  person: Person,
  what: keyof typeof ACTIONS,
  codes: string[],
  statements: Statement[],
): Promise<WithCodes> {
  const mail = await tell(services, person, what);
  const signedIn = await commitWithNewSession(services, person, [
    ...statements,
    ...jobStatements(services, mail),
    recordAudit(services, actingAlone(person), { action: ACTIONS[what], ...aboutThemself(person.userId) }),
  ]);
  await services.queues.send("jobs", jobIds(mail));
  return { ...signedIn, codes };
}

function tell(services: Needs, person: Person, what: keyof typeof ACTIONS): Promise<NewJob[]> {
  const data = {
    firstName: person.firstName,
    change: what,
    at: formatDateTime(services.clock.now()),
    href: `${services.config.appOrigin}/profile/two-step`,
  };
  return queueEmail(services, person.organizationId, [person.email], { template: "twoStepChanged", data });
}

async function makeRecoveryCodes(
  { db, clock, secrets }: Needs,
  userId: string,
): Promise<{ codes: string[]; statements: Statement[] }> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    formatRecoveryCode(toBase32(crypto.getRandomValues(new Uint8Array(10)))),
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
