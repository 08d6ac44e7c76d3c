import type { Statement } from "@db/client";
import type { Person } from "~/kernel/actor";
import { AppError, invalidInput } from "~/kernel/app-error";
import type { Services } from "~/services";
import { type Account, findAccountById } from "./account.queries.server";
import { whileMayComeIn } from "./account.statements.server";
import {
  codeLock,
  countFailure,
  forgetFailures,
  type Lock,
  passwordLock,
  requireUnlocked,
  whileUnlocked,
} from "./sign-in/sign-in-lock.server";
import { takeCode } from "./two-step/two-step.server";

/** What a signed-in person proves again before something that matters: that it is them, and not only their browser. */

type Needs = Pick<Services, "db" | "clock" | "secrets" | "passwords">;

/** The account, and what makes the batch that acts fail if the proof holds no more. */
export type Proof = { account: Account; statements: Statement[] };

const WRONG_PASSWORD = "This is not your current password";

/**
 * @param field where the sentence is shown
 * @throws AppError 400 with the sentence beside the field, 429 SIGN_IN_LOCKED
 */
export async function provePassword(
  services: Needs,
  person: Person,
  password: string,
  field = "currentPassword",
): Promise<Proof> {
  const lock = await passwordLock(services, person.email, person.userId);
  await requireUnlocked(services, lock);
  const account = await findAccountById(services, person.userId);
  const { ok } = await services.passwords.verify(password, account?.password);
  if (!account || !ok) {
    await countFailure(services, lock);
    throw invalidInput({ [field]: [WRONG_PASSWORD] }, WRONG_PASSWORD);
  }
  return { account, statements: [...closing(services, lock), whileMayComeIn(services, account)] };
}

/**
 * The password and, of a person with two-step sign-in, the code.
 * @throws AppError as `provePassword`, and 409 TWO_STEP_OFF when there is no code to ask for
 */
export async function provePasswordAndCode(
  services: Needs,
  person: Person,
  { currentPassword, code }: { currentPassword: string; code: string },
): Promise<Proof> {
  const { account, statements } = await provePassword(services, person, currentPassword);
  if (!account.twoStep) throw new AppError("TWO_STEP_OFF", 409, "Two-step sign-in is not turned on.");
  const lock = codeLock(person.userId);
  await requireUnlocked(services, lock);
  const uses = await takeCode(services, person.userId, account.twoStep, code);
  if (!uses) throw await refuseCode(services, lock);
  return { account, statements: [...statements, ...closing(services, lock), ...uses] };
}

/** Counts a wrong code. @returns what to throw: 400 with the sentence beside the field */
export async function refuseCode(services: Needs, lock: Lock): Promise<AppError> {
  await countFailure(services, lock);
  const sentence = "This code is not right, or was used before";
  return invalidInput({ code: [sentence] }, sentence);
}

/** The account is not locked while it is proved, and what failed before is forgotten. */
export const closing = (services: Needs, lock: Lock): Statement[] => [
  whileUnlocked(services, lock),
  forgetFailures(services, lock),
];

export { changedMeanwhile } from "./reauthenticate.server";
