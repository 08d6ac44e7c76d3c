import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import type { Person } from "~/kernel/actor";
import { AppError, invalidInput } from "~/kernel/app-error";
import type { Services } from "~/services";
import { type Account, findAccountById } from "./account.queries.server";
import { accountIsUnchanged } from "./account.statements.server";
import {
  accountIsUnlocked,
  countFailure,
  forgetFailures,
  passwordLock,
  requireUnlocked,
} from "./sign-in/sign-in-lock.server";

/** Asks for a password again before something that matters: a session alone shows only that the browser is the same. */

type Needs = Pick<Services, "db" | "clock" | "secrets" | "passwords">;

/** The account, and what the command that follows adds to its batch: it is refused if the account changes meanwhile. */
export type Reauthenticated = {
  account: Account;
  conditions: Condition<"account_locked" | "account_changed">[];
  statements: Statement[];
};

/**
 * Compares the password of an account. Wrong passwords count towards the lock of the sign-in.
 * @param says the field that the sentence for a wrong password stands beside, and the sentence
 * @throws AppError 400 with the sentence, 429 SIGN_IN_LOCKED
 */
export async function requirePassword(
  services: Needs,
  { userId, email }: Pick<Person, "userId" | "email">,
  password: string,
  says = { field: "currentPassword", wrong: "This is not your current password" },
): Promise<Reauthenticated> {
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

/** What is said when the account changed between reading and writing. */
export const changedMeanwhile = () =>
  new AppError(
    "CHANGED_MEANWHILE",
    409,
    "Your account was changed in the meantime. Nothing was done; please try again.",
  );
