import { type SimulatedCall, type SimulatorContext, sleep } from "../party";
import type { Bank } from "./bank";
import { bankOfBsb, connectorName } from "./connectors";
import { type BankCheck, findBankCheck } from "./find-bank-check";
import { isPersona, PERSONAS, type Persona } from "./personas";
import { returnAddress } from "./return-address";
import type { BasiqState } from "./state";

const TRIES = 40;
const TRY_EVERY_MS = 250;

type Ready = { check: BankCheck; userId: string };
type Refusal = { status: number; message: string };

/**
 * POST /basiq/complete {verificationId, persona, institutionId?}: does for a script what a payee does by clicking through
 * the bank; the bank is that of the BSB where none is named.
 *
 * Waits up to ten seconds for the app to create the provider's user, because the app does so in the background.
 */
export function createCompletion(state: BasiqState, context: SimulatorContext, bank: Bank) {
  async function waitForUser(verificationId: string): Promise<Ready | Refusal> {
    let reason = "The app did not answer";
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await sleep(context.timers, TRY_EVERY_MS);
      const answer = await findBankCheck(context, { verificationId });
      if ("check" in answer) {
        const userId = answer.check.providerUserId;
        if (userId && Object.hasOwn(state.users, userId)) return { check: answer.check, userId };
        reason = userId
          ? "The provider does not know the user of this check"
          : "No bank check is waiting for its payee";
      } else if (answer.problem === "unknown") {
        return { status: 404, message: "The app does not know this verification" };
      }
    }
    return { status: 409, message: reason };
  }

  return async ({ request, body }: SimulatedCall): Promise<Response> => {
    const isForm = request.headers.get("content-type")?.includes("x-www-form-urlencoded") ?? false;
    const input = parseInput(body, isForm);
    if ("message" in input)
      return Response.json({ ok: false, ...input, personas: Object.keys(PERSONAS) }, { status: 400 });
    const ready = await waitForUser(input.verificationId);
    if ("message" in ready) return Response.json({ ok: false, message: ready.message }, { status: ready.status });
    const { check, userId } = ready;
    const institutionId = input.institutionId ?? bankOfBsb(check.submitted.bsb).id;
    const job = bank.decide({ userId, persona: input.persona, institutionId, check, atOnce: true });
    const redirectUrl = check.state ? returnAddress(context.appOrigin, job.id, check.state) : undefined;
    if (isForm && redirectUrl) return new Response(null, { status: 303, headers: { location: redirectUrl } });
    return Response.json({ ok: true, jobId: job.id, redirectUrl });
  };
}

type Input = { verificationId: string; persona: Persona; institutionId?: string };

function parseInput(body: string, isForm: boolean): Input | { message: string } {
  let input: { verificationId?: unknown; persona?: unknown; institutionId?: unknown };
  try {
    input = isForm ? Object.fromEntries(new URLSearchParams(body)) : (JSON.parse(body) ?? {});
  } catch {
    return { message: "Send JSON: {verificationId, persona}" };
  }
  const { verificationId, persona, institutionId } = input;
  if (typeof verificationId !== "string" || verificationId === "") return { message: "verificationId is missing" };
  if (!isPersona(persona)) return { message: "Unknown persona" };
  if (institutionId === undefined) return { verificationId, persona };
  if (typeof institutionId !== "string" || !connectorName(institutionId)) return { message: "Unknown institutionId" };
  return { verificationId, persona, institutionId };
}
