import { env } from "cloudflare:workers";
import { readEnv } from "@workers/env";
import type { Log, QueueName, Services } from "~/services";
import { compose, type Overrides } from "../../workers/compose";
import { aClock, type TestClock } from "./clock";
import { handReader } from "./invoices";
import { watchQueries } from "./query-watch";

/** A log that keeps what was written, so that a test can look, and says nothing. */
export type TestLog = Log & { lines: { level: string; event: string; fields?: Record<string, unknown> }[] };

export function aLog(): TestLog {
  const lines: TestLog["lines"] = [];
  const write = (level: string) => (event: string, fields?: Record<string, unknown>) => {
    lines.push({ level, event, fields });
  };
  return { lines, info: write("info"), warn: write("warn"), error: write("error") };
}

export type TestServices = Services & {
  clock: TestClock;
  log: TestLog;
  /** Jobs the queues were told of, in order; nothing is delivered by itself. */
  sent: { queue: QueueName; jobId: string; delaySeconds?: number }[];
};

/**
 * Services on the test's real D1 with a still clock, cheap password hashes and queues that only remember.
 * A request to the outside fails the test unless `fetch` answers it.
 */
export function testServices(overrides: Overrides = {}): TestServices {
  const clock = aClock();
  const log = aLog();
  const sent: TestServices["sent"] = [];
  const raw = env as unknown as Record<string, unknown>;
  const services = compose(readEnv({ ...raw, DB: watchQueries(raw.DB as D1Database) }), {
    clock,
    log,
    queues: {
      async send(queue, jobIds, delaySeconds) {
        for (const jobId of jobIds) sent.push({ queue, jobId, delaySeconds });
      },
    },
    documentReader: handReader,
    fetch: (request) => {
      throw new Error(`nobody simulates ${request.url}`);
    },
    ...overrides,
  });
  return Object.assign(services, { sent }) as TestServices;
}
