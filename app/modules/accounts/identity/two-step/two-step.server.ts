import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { recoveryCodes, twoSteps } from "@db/schema";
import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { ReadServices, Services } from "~/services";
import { parseRecoveryCode, parseTotp } from "./recovery-code";
import { findTotpStep } from "./totp.server";

type Needs = Pick<Services, "db" | "clock" | "secrets">;

/** A person's two-step sign-in as it is stored. */
export type TwoStep = { sealedSecret: string; lastStep: number | null };

const contextOf = (userId: string) => `two-step:${userId}`;

export const sealTotpSecret = ({ secrets }: Needs, userId: string, secret: string): Promise<string> =>
  secrets.seal(secret, contextOf(userId));

export const openTotpSecret = ({ secrets }: Needs, userId: string, sealedSecret: string): Promise<string> =>
  secrets.open(sealedSecret, contextOf(userId));

/** A code that was right: what uses it up, refused if the code was used in the meantime. */
export type TakenCode = { conditions: Condition<"code_used">[]; statements: Statement[] };

/** Checks a code of the app, or a recovery code. @returns undefined for a wrong or used code */
export async function spendCode(
  services: Needs,
  userId: string,
  twoStep: TwoStep,
  typed: string,
): Promise<TakenCode | undefined> {
  const totp = parseTotp(typed);
  if (totp !== undefined) return takeTotp(services, userId, twoStep, totp);
  const recovery = parseRecoveryCode(typed);
  return recovery === undefined ? undefined : takeRecoveryCode(services, userId, recovery);
}

async function takeTotp(
  services: Needs,
  userId: string,
  { sealedSecret, lastStep }: TwoStep,
  code: string,
): Promise<TakenCode | undefined> {
  const { db, clock } = services;
  const secret = await openTotpSecret(services, userId, sealedSecret);
  const step = await findTotpStep(secret, code, clock.now());
  if (step === undefined || (lastStep !== null && step <= lastStep)) return undefined;
  const unused = db
    .select({ one: sql`1` })
    .from(twoSteps)
    .where(
      and(
        eq(twoSteps.userId, userId),
        eq(twoSteps.sealedSecret, sealedSecret),
        or(isNull(twoSteps.lastStep), lt(twoSteps.lastStep, step)),
      ),
    );
  return {
    conditions: [{ name: "code_used", found: unused }],
    statements: [db.update(twoSteps).set({ lastStep: step }).where(eq(twoSteps.userId, userId))],
  };
}

async function takeRecoveryCode(services: Needs, userId: string, code: string): Promise<TakenCode | undefined> {
  const { db, clock, secrets } = services;
  const one = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, await secrets.hashToken(code)));
  const unused = db
    .select({ one: sql`1` })
    .from(recoveryCodes)
    .where(and(one, isNull(recoveryCodes.usedAt)));
  if ((await unused).length === 0) return undefined;
  return {
    conditions: [{ name: "code_used", found: unused }],
    statements: [db.update(recoveryCodes).set({ usedAt: clock.now() }).where(one)],
  };
}

/** Two-step sign-in of a person is turned on, or it is not. */
export function twoStepIs({ db }: ReadServices, userId: string, state: "on" | "off"): Condition<"two_step_changed"> {
  const on = db
    .select({ one: sql`1` })
    .from(twoSteps)
    .where(and(eq(twoSteps.userId, userId), isNotNull(twoSteps.enabledAt)));
  return { name: "two_step_changed", found: state === "on" ? on : sql`SELECT 1 WHERE NOT EXISTS (${on.getSQL()})` };
}
