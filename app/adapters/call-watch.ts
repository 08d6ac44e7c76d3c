import { UpstreamError } from "~/kernel/app-error";
import type { Clock, ProviderCalls, ProviderNote } from "~/services-and-actor";
import type { Fetch } from "./http-client";

/** While a party keeps answering, its state is saved this often. */
const EVERY_MS = 60_000;

type Watched = ProviderCalls & {
  /** The same `fetch`, which records the outcome of each call to this party. */
  fetch: (party: string, fetch: Fetch, options?: { isOurCredential?: boolean }) => Fetch;
  /** The same for a call whose failures only its adapter can recognise. */
  send: <Args extends unknown[], Answer>(
    party: string,
    send: (...args: Args) => Promise<Answer>,
  ) => (...args: Args) => Promise<Answer>;
};

/**
 * Remembers, until it is saved, when each outside party last answered and since when it has been failing. An answer
 * that rejects our request counts as an answer.
 */
export function createCallWatch(clock: Clock): Watched {
  const notes = new Map<string, ProviderNote>();
  const written = new Map<string, { at: number; isFailing: boolean }>();

  function note(party: string, problem: string | undefined): void {
    const now = clock.now();
    const before = notes.get(party) ?? { party };
    const after =
      problem === undefined
        ? { lastSucceededAt: now, failingSince: undefined }
        : { lastFailedAt: now, failingSince: before.failingSince ?? now, lastError: problem };
    notes.set(party, { ...before, ...after });
  }

  const isNews = ({ party, lastFailedAt }: ProviderNote) => {
    const last = written.get(party);
    return lastFailedAt !== undefined || !last || last.isFailing || clock.now() - last.at >= EVERY_MS;
  };

  return {
    fetch:
      (party, fetch, { isOurCredential = true } = {}) =>
      async (request) => {
        try {
          const answer = await fetch(request);
          note(party, problemOf(answer.status, isOurCredential));
          return answer;
        } catch (error) {
          note(party, request.signal.aborted ? "no answer in time" : "the connection failed");
          throw error;
        }
      },
    send:
      (party, send) =>
      async (...args) => {
        try {
          const answer = await send(...args);
          note(party, undefined);
          return answer;
        } catch (error) {
          const isAnswer = error instanceof UpstreamError && !error.retryable;
          note(party, isAnswer ? undefined : error instanceof Error ? error.message : String(error));
          throw error;
        }
      },
    answered: (party) => note(party, undefined),
    failed: note,
    take() {
      const news = [...notes.values()].filter(isNews);
      for (const { party, failingSince } of news) {
        notes.delete(party);
        written.set(party, { at: clock.now(), isFailing: failingSince !== undefined });
      }
      return news;
    },
  };
}

const CREDENTIAL: readonly number[] = [401, 402, 403];

/** Why an answer shows that the party does not work for us; undefined if it works. */
function problemOf(status: number, isOurCredential: boolean): string | undefined {
  const isFailing =
    status >= 500 || status === 408 || status === 429 || (isOurCredential && CREDENTIAL.includes(status));
  return isFailing ? `HTTP ${status}` : undefined;
}
