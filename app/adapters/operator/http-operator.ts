import type { Operator, OperatorMessage } from "~/ports/operator";
import type { Clock } from "~/services-and-actor";
import { createHttpClient, type Fetch } from "../http-client";

/** Notifies the operator over HTTPS. Either address may be omitted. */
export function createHttpOperator({
  heartbeatUrl,
  webhookUrl,
  appOrigin,
  fetch,
  clock,
}: {
  /** Called while all is well, with GET, as heartbeat monitors expect. */
  heartbeatUrl?: string;
  /** Receives the start and end of each problem. Slack, Teams and others show the `text` field. */
  webhookUrl?: string;
  /** The address of this installation, for an operator with several. */
  appOrigin: string;
  fetch: Fetch;
  clock: Clock;
}): Operator {
  const client = createHttpClient({ party: "operator", fetch, clock });
  return {
    async beat() {
      if (heartbeatUrl !== undefined) await client.callWithoutAnswer({ method: "GET", url: heartbeatUrl });
    },
    async tell(message) {
      if (webhookUrl === undefined) return false;
      await client.callWithoutAnswer({
        method: "POST",
        url: webhookUrl,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: textOf(message, appOrigin), ...message }),
      });
      return true;
    },
  };
}

const timeOf = (ms: number) => new Date(ms).toISOString();

function textOf({ state, watched, detail, startedAt, endedAt }: OperatorMessage, appOrigin: string): string {
  const since = `since ${timeOf(startedAt)}`;
  const head = state === "started" ? `PROBLEM ${watched}: ${detail}, ${since}` : `OVER ${watched}: ${detail}, ${since}`;
  return `${head}${endedAt === null ? "" : ` until ${timeOf(endedAt)}`} (${appOrigin})`;
}
