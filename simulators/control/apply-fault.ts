import { type Party, type SimulatedCall, sleep, type Timers } from "../party";
import type { Fault } from "./faults";

const NEVER_ANSWER_MS = 60_000;
const SLOW_MS = 3_000;
const DEFAULT_RETRY_AFTER_SECONDS = 2;

type Faulty = {
  party: Party;
  call: SimulatedCall;
  timers: Timers;
  /** The party's action and answer without the fault. */
  answer: () => Promise<Response>;
};

export async function answerWithFault(fault: Fault, { party, call, timers, answer }: Faulty): Promise<Response> {
  switch (fault.fault) {
    case "timeout":
      await untilGone(call.request.signal, timers);
      return party.errorAnswer(504, call);
    case "429":
    case "503":
      return withRetryAfter(party.errorAnswer(Number(fault.fault), call), fault);
    case "500":
    case "401":
      return party.errorAnswer(Number(fault.fault), call);
    case "slow":
      await sleep(timers, SLOW_MS);
      return answer();
    case "malformed":
      return spoil(await answer(), () => "<html><body>Gateway</body></html>");
    case "truncated":
      return spoil(await answer(), (text) => text.slice(0, Math.ceil(text.length / 2)));
    case "empty":
      return spoil(await answer(), () => "");
    case "lost_acknowledgement":
      await answer();
      return party.errorAnswer(500, call);
    case "wrong_tenant":
      return spoil(await answer(), (text) => party.asSomebodyElse?.(text, call) ?? text);
  }
}

async function spoil(response: Response, change: (text: string) => string): Promise<Response> {
  const text = change(await response.text());
  const { status } = response;
  const headers = { "content-type": response.headers.get("content-type") ?? "application/json" };
  return new Response(status === 204 ? null : text, { status, headers });
}

function withRetryAfter(response: Response, fault: Fault): Response {
  const late = new Response(response.body, response);
  if (fault.fault === "429" || fault.retryAfter !== undefined) {
    late.headers.set("retry-after", String(fault.retryAfter ?? DEFAULT_RETRY_AFTER_SECONDS));
  }
  return late;
}

/** Waits until the caller hangs up, with a limit so that nothing waits forever. */
function untilGone(signal: AbortSignal, timers: Timers): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancel = timers.after(NEVER_ANSWER_MS, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}
