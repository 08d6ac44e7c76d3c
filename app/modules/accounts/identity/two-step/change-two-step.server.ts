import type { Person } from "~/kernel/actor";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { NotifyServices, Services } from "~/services";
import { removeTwoStep } from "../account-access.server";
import { aboutUser, asAccountActor } from "../account-actor";
import { changedMeanwhile, requirePasswordAndCode } from "../reauthenticate.server";
import { replaceSessions } from "../sessions/session.server";
import { getSignedIn, type SignedIn } from "../sessions/signed-in.server";
import { makeRecoveryCodes, queueTwoStepEmail, type WithCodes } from "./recovery-code.server";

type Changing = NotifyServices & Pick<Services, "passwords">;

type Typed = { currentPassword: string; code: string };

/** Turns two-step sign-in off. @throws AppError 400 beside `currentPassword` or `code`, 409 */
export async function disableTwoStep(services: Changing, person: Person, input: Typed): Promise<SignedIn> {
  const proof = await requirePasswordAndCode(services, person, input);
  const session = await replaceSessions(services, person);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: proof.conditions,
    statements: [...proof.statements, ...removeTwoStep(services, person.userId), ...session.statements],
    audit: [{ action: "user.two_step_disabled", ...aboutUser(person.userId) }],
    jobs: await queueTwoStepEmail(services, person, "disabled"),
    answer: undefined,
  });
  if (!ok) throw changedMeanwhile();
  return getSignedIn(services, person.origin, session);
}

/** Makes new recovery codes; the old ones stop working. @throws AppError 400 beside `currentPassword` or `code`, 409 */
export async function renewRecoveryCodes(services: Changing, person: Person, input: Typed): Promise<WithCodes> {
  const proof = await requirePasswordAndCode(services, person, input);
  const made = await makeRecoveryCodes(services, person.userId);
  const session = await replaceSessions(services, person);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: proof.conditions,
    statements: [...proof.statements, ...made.statements, ...session.statements],
    audit: [{ action: "user.recovery_codes_renewed", ...aboutUser(person.userId) }],
    jobs: await queueTwoStepEmail(services, person, "recovery_codes"),
    answer: undefined,
  });
  if (!ok) throw changedMeanwhile();
  return { ...(await getSignedIn(services, person.origin, session)), codes: made.codes };
}
