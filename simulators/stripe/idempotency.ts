import type { SimulatedCall } from "../party";
import type { Desk } from "./desk";
import { errorBody, Refusal } from "./errors";

const KEPT_MS = 24 * 60 * 60 * 1000;

export type Answer = { status: number; body: string; replayed?: true };

/** Runs a call; whatever refuses it becomes the provider's error. Synchronous, so that no two calls mix. */
function answer(run: () => unknown): Answer {
  try {
    return { status: 200, body: JSON.stringify(run()) };
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: JSON.stringify(errorBody(error)) };
    throw error;
  }
}

/**
 * The same key within 24 hours answers the first answer again; with other parameters it is refused. What was refused
 * before anything began (400, 401, 404) is not kept.
 */
export function answerOnce(desk: Desk, call: SimulatedCall, run: () => unknown): Answer {
  const key = call.request.headers.get("idempotency-key");
  if (key === null || call.request.method !== "POST") return answer(run);
  const { kept } = desk.state;
  const now = desk.context.now();
  for (const [known, { at }] of Object.entries(kept)) if (now - at > KEPT_MS) delete kept[known];
  const fingerprint = `${call.path}?${call.body}`;
  const first = Object.hasOwn(kept, key) ? kept[key] : undefined;
  if (first && first.fingerprint === fingerprint) return { ...first, replayed: true };
  if (first) return answer(() => refuseOtherParameters(key));
  const given = answer(run);
  if (given.status < 400 || given.status === 402) kept[key] = { ...given, fingerprint, at: now };
  return given;
}

function refuseOtherParameters(key: string): never {
  throw new Refusal(
    400,
    "idempotency_error",
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  );
}
