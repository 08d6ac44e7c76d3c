import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import type { Person } from "~/kernel/actor";
import { AppError, invalidInput } from "~/kernel/app-error";
import type { Services } from "~/services";
import { type Account, accountIsUnchanged, findAccountById } from "./account.server";
import {
  accountIsUnlocked,
  codeLock,
  countFailure,
  forgetFailures,
  passwordLock,
  requireUnlocked,
} from "./sign-in/sign-in-lock.server";
import { spendCode, type TwoStep } from "./two-step/two-step.server";

/** Asks for a password again before something that matters: a session alone shows only that the browser is the same. */

type Needs = Pick<Services, "db" | "clock" | "secrets" | "passwords">;

/** What a proof adds to the batch of the command that follows: it is refused if the account changes meanwhile. */
export type Proof = {
  conditions: Condition<"account_locked" | "account_changed" | "code_used">[];
  statements: Statement[];
};

/**
 * Compares the password of an account. Wrong passwords count towards the lock of the sign-in.
 * @param says the field beside which a wrong password is reported, and the sentence
 * @throws AppError 400 with the sentence, 429 SIGN_IN_LOCKED
 */
export async function requirePassword(
  services: Needs,
  { userId, email }: Pick<Person, "userId" | "email">,
  password: string,
  says = { field: "currentPassword", wrong: "This is not your current password" },
): Promise<Proof & { account: Account }> {
  const lock = await passwordLock(services, email, userId);
  await requireUnlocked(services, lock);
  const account = await findAccountById(services, userId);
  const { ok } = await services.passwords.verify(password, account?.password);
  if (!account || !ok) {
    await countFailure(services, lock);
    throw invalidInput({ [says.field]: [says.wrong] }, says.wrong);
  }
  return {
    account,
    conditions: [accountIsUnlocked(services, lock), accountIsUnchanged(services, account)],
    statements: [forgetFailures(services, lock)],
  };
}

/** Checks a code of two-step sign-in. @throws AppError 400 beside `code`, 429 SIGN_IN_LOCKED */
export async function requireCode(services: Needs, userId: string, twoStep: TwoStep, typed: string): Promise<Proof> {
  const lock = codeLock(userId);
  await requireUnlocked(services, lock);
  const code = await spendCode(services, userId, twoStep, typed);
  if (!code) {
    await countFailure(services, lock);
    const sentence = "This code is not right, or was used before";
    throw invalidInput({ code: [sentence] }, sentence);
  }
  return {
    conditions: [accountIsUnlocked(services, lock), ...code.conditions],
    statements: [forgetFailures(services, lock), ...code.statements],
  };
}

/**
 * The password and the code of a person with two-step sign-in.
 * @throws AppError as `requirePassword` and `requireCode`, and 409 TWO_STEP_OFF when there is no code to ask for
 */
export async function requirePasswordAndCode(
  services: Needs,
  person: Person,
  { currentPassword, code }: { currentPassword: string; code: string },
): Promise<Proof> {
  const { account, ...password } = await requirePassword(services, person, currentPassword);
  if (!account.twoStep) throw new AppError("TWO_STEP_OFF", 409, "Two-step sign-in is not turned on.");
  const second = await requireCode(services, person.userId, account.twoStep, code);
  return {
    conditions: [...password.conditions, ...second.conditions],
    statements: [...password.statements, ...second.statements],
  };
}

/** What is said when the account changed between reading and writing. */
export const changedMeanwhile = () =>
  new AppError(
    "CHANGED_MEANWHILE",
    409,
    "Your account was changed in the meantime. Nothing was done; please try again.",
  );
