import { env } from "cloudflare:workers";
import { readEnv } from "@workers/env";
import type { QueueName, Services } from "~/services-and-actor";
import { compose, type Overrides } from "../../workers/compose";
import { aClock, type TestClock } from "./clock";
import { handReader } from "./invoices";
import { watchQueries } from "./query-watch";
import { aLog, type TestLog } from "./services-log";

/** Notes outside the database, kept in memory for the test. */
export function someNotes(): Services["notes"] & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    read: async (key) => kept.get(key) ?? null,
    write: async (key, text) => void kept.set(key, text),
    list: async (prefix) => ({ keys: [...kept.keys()].filter((key) => key.startsWith(prefix)).sort() }),
  };
}

export { aLog };

export type TestServices = Services & {
  clock: TestClock;
  log: TestLog;
  /** Jobs that were queued, in order; nothing is delivered automatically. */
  sent: { queue: QueueName; jobId: string; delaySeconds?: number }[];
};

const raw = env as unknown as Record<string, unknown>;
/** Read once: the schema of the environment is checked in a millisecond, and thousands of tests have services. */
const testEnv = readEnv({ ...raw, DB: watchQueries(raw.DB as D1Database) });

/**
 * Services on the test's real D1 with a still clock, cheap password hashes and queues that only remember.
 * A request to the outside fails the test unless `fetch` answers it.
 */
export function testServices(overrides: Overrides = {}): TestServices {
  const clock = aClock();
  const log = aLog();
  const sent: TestServices["sent"] = [];
  const services = compose(testEnv, {
    clock,
    log,
    queues: {
      async send(queue, jobIds, delaySeconds) {
        for (const jobId of jobIds) sent.push({ queue, jobId, delaySeconds });
      },
    },
    notes: someNotes(),
    documentReader: handReader,
    fetch: (request) => {
      throw new Error(`nobody simulates ${request.url}`);
    },
    ...overrides,
  });
  return Object.assign(services, { sent }) as TestServices;
}
