import { invalidInput } from "~/kernel/app-error";
import type { Services } from "~/services";
import { isCommonPassword } from "./common-passwords";

const COMMON = "This password is one of those that are tried first. Please choose another one";
const BREACHED = "This password is known from a data breach. Please choose another one";

/**
 * A new password that everybody knows is no password: asked wherever one is set, after the rules of the specification.
 * @throws AppError 400 with the sentence beside the field
 */
export async function requireUnknownPassword(
  { breachedPasswords }: Pick<Services, "breachedPasswords">,
  password: string,
): Promise<void> {
  if (isCommonPassword(password)) throw invalidInput({ password: [COMMON] }, COMMON);
  if (await breachedPasswords.isBreached(password)) throw invalidInput({ password: [BREACHED] }, BREACHED);
}
