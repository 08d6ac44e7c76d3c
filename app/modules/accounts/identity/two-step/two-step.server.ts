import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { recoveryCodes, twoSteps } from "@db/schema/index";
import { and, count, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { renderSVG } from "uqr";
import type { Person } from "~/kernel/actor";
import type { ReadServices, Services } from "~/services";
import { parseRecoveryCode, parseTotp } from "./recovery-code";
import { findTotpStep, totpUri } from "./totp.server";

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

const GROUPS = /.{1,4}/g;

/** Where a person's two-step sign-in stands, as their page shows it. */
export async function readTwoStep(
  services: Pick<Services, "db" | "clock" | "secrets">,
  person: Person,
): Promise<TwoStepView> {
  const { db } = services;
  const { userId, email } = person;
  const [row] = await db
    .select({ sealedSecret: twoSteps.sealedSecret, enabledAt: twoSteps.enabledAt })
    .from(twoSteps)
    .where(eq(twoSteps.userId, userId));
  if (!row) return { state: "off" };
  if (row.enabledAt === null) {
    const secret = await openTotpSecret(services, userId, row.sealedSecret);
    const svg = renderSVG(totpUri(secret, email), { border: 2 });
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

/** A person's two-step sign-in as their page shows it. */
type TwoStepView =
  | { state: "off" }
  | {
      state: "setting_up";
      /** The QR code, as an image's address. */
      image: string;
      /** The same secret to type, in groups of four. */
      secret: string;
    }
  | { state: "on"; enabledAt: number; codesLeft: number };
