import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { FILE_LIMITS, STATED_LIMITS } from "~/kernel/limits";

/** The rules for all calls: the document's description and the page both come from here. Pure. */

export type GuideSection = {
  id: string;
  title: string;
  paragraphs: readonly string[];
  rows?: readonly (readonly [string, string])[];
  code?: string;
};

/** A limit per IP address. */
export type Limit = { limit: number; windowMs: number };

const WINDOWS: Readonly<Record<number, string>> = { [MINUTE_MS]: "minute", [HOUR_MS]: "hour", [DAY_MS]: "day" };

/** `5 an hour`. */
export function limitWords({ limit, windowMs }: Limit): string {
  const window = WINDOWS[windowMs] ?? `${Math.round(windowMs / MINUTE_MS)} minutes`;
  return `${limit} ${window === "hour" ? "an" : "a"} ${window}`;
}

const ERROR = `{
  "message": "Check the details and try again.",
  "code": "INVALID_INPUT",
  "fieldErrors": { "bsb": ["A BSB has 6 digits, such as 062-000"] },
  "requestId": "01a1f2c4-58aa-7d4f-8b31-e90c2f7d5a71"
}`;

const WEBHOOK = `{
  "type": "payment.recorded",
  "timestamp": "2026-11-20T05:31:00.000Z",
  "data": {
    "organizationId": "01a1f2b0-6a41-7c1e-9d15-3c0d5b6a7e01",
    "object": "payment",
    "id": "01a1f2b7-9c04-7b11-8c55-9e3a1f60d731",
    "state": "held"
  }
}`;

/** @param scopes of a token, with their labels */
const authentication = (scopes: Readonly<Record<string, string>>): GuideSection => ({
  id: "authentication",
  title: "API tokens",
  paragraphs: [
    "Make a token in your profile, under API tokens. It is shown once, acts as you in the organisation that you choose, and expires when you choose. In your profile you can see when each token was last used, and revoke it at once.",
    "Send it with every call as `Authorization: Bearer pp_...`. A token has only the scopes you gave it:",
  ],
  rows: Object.entries(scopes),
});

const ERRORS: GuideSection = {
  id: "errors",
  title: "Errors",
  paragraphs: [
    "A refusal has a status of 400 or above and this body. `message` is a sentence for people, `code` is for programs and keeps its meaning. `fieldErrors` is present when a field is wrong. Some codes add members of their own; the description of the call says which.",
    "Something that does not exist and something that belongs to another organisation get the same answer: 404 NOT_FOUND. A wrong method is answered with 405, and `Allow` lists the allowed ones. After 429 and 503, wait for the seconds in the header `Retry-After`; nothing was changed.",
  ],
  code: ERROR,
};

const REPEATING: GuideSection = {
  id: "idempotency",
  title: "Repeating a call safely",
  paragraphs: [
    "Calls that create or decide something take the header `Idempotency-Key`: up to 200 characters of your choice, a new one for each thing you want done. If an answer is lost, send the same call with the same key: it is carried out once, and you get the first answer again; for a payment, `statusNow` says what has become of it since. The same key with another body is refused with 409 IDEMPOTENCY_CONFLICT.",
  ],
};

const LISTS: GuideSection = {
  id: "lists",
  title: "Lists",
  paragraphs: [
    "A list returns one page and `nextCursor`. Send that as `?cursor=` for the next page; null means that there is none. A page is found by its key, so rows that arrive in the meantime do not shift the pages. Filters that a list does not know are ignored.",
    "Lists mask account numbers; the call for one payee, verification or payment shows them in full, and the audit trail records that.",
  ],
};

const VALUES: GuideSection = {
  id: "values",
  title: "Values",
  paragraphs: [
    "Amounts are whole cents of Australian dollars. Instants are ISO 8601 in UTC. A BSB is six digits and an account number four to nine; both are accepted with spaces and hyphens, and returned without. Ids are UUIDs.",
    `Send JSON as \`application/json\` in UTF-8, at most ${FILE_LIMITS.body.bytes / 1024} KB. Answers may gain members: ignore those you do not know.`,
  ],
};

const WEBHOOKS: GuideSection = {
  id: "webhooks",
  title: "Webhooks",
  paragraphs: [
    "Instead of polling, have events sent to your system: an admin adds an https address under Settings, Webhooks, and chooses the events. Each event is posted there as JSON with ids and states; ask for the rest with a call.",
    "Events are signed as standardwebhooks.com describes: `webhook-signature` holds `v1,` and an HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body under the endpoint's secret, in base64. While a former secret is valid there are two signatures; either one will do. Refuse an event that is older than five minutes.",
    "Answer 2xx within ten seconds. An event without such an answer is sent again, at growing intervals, for three days; then the endpoint is switched off and the admins are told. An event can arrive more than once and out of order: its `webhook-id` stays the same. Redirects are not followed.",
  ],
  code: WEBHOOK,
};

const limits = (all: Readonly<Record<string, Limit>>, names: Readonly<Record<string, string>>): GuideSection => ({
  id: "limits",
  title: "Limits",
  paragraphs: [
    "Calls with an API token count towards the organisation's limits, as people's actions do; over a limit the answer is 429 RATE_LIMITED. There is no other limit on calls with a token.",
    ...STATED_LIMITS,
    "Calls that need no token have a limit for each address on the internet:",
  ],
  rows: Object.entries(all).flatMap(([name, limit]) =>
    names[name] ? [[names[name], limitWords(limit)] as const] : [],
  ),
});

export type Facts = {
  scopes: Readonly<Record<string, string>>;
  limits: Readonly<Record<string, Limit>>;
  /** The titles of the calls under each limit. */
  limitNames: Readonly<Record<string, string>>;
};

export const guideOf = (facts: Facts): readonly GuideSection[] => [
  authentication(facts.scopes),
  ERRORS,
  REPEATING,
  LISTS,
  VALUES,
  WEBHOOKS,
  limits(facts.limits, facts.limitNames),
];

/** The guide as Markdown (CommonMark), for the document. */
export function toMarkdown(sections: readonly GuideSection[]): string {
  return sections
    .map(({ title, paragraphs, rows = [], code }) => {
      const table = rows.map(([name, value]) => `- \`${name}\`: ${value}`).join("\n");
      return [`## ${title}`, ...paragraphs, table, code && `\`\`\`json\n${code}\n\`\`\``].filter(Boolean).join("\n\n");
    })
    .join("\n\n");
}
