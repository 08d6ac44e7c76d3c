import { asBankWrites, closeForm, unrelatedName } from "../basiq/names";
import { html, page } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";

/** The bank's behaviours: the provider's own list of `simulate`, with their meanings. */
export const BEHAVIOURS = {
  match: "The bank holds the name as it was given",
  close_match: "The bank holds a close form of the name",
  individual_no_match: "The account belongs to another person, whose name the bank keeps to itself",
  non_individual_no_match: "The account belongs to another business",
  account_closed: "The account is closed",
  no_account_found: "There is no such account",
  bic_lookup_failed: "No bank is found for the BSB",
  account_daily_no_match_limit_exceeded: "Too many answers today said no match for the account",
  requester_daily_no_match_limit_exceeded: "Too many answers today said no match for the requester",
  account_daily_request_limit_exceeded: "The account was asked about too often today",
  requester_daily_request_limit_exceeded: "The requester asked too often today",
  unable_to_confirm: "The bank cannot say",
  rate_limited: "Too many questions at once",
} as const;

export type Behaviour = keyof typeof BEHAVIOURS;

const isBehaviour = (text: unknown): text is Behaviour => typeof text === "string" && Object.hasOwn(BEHAVIOURS, text);

/** A joint account: as `match`, with one of its holders "and others". */
const JOINT_ENDING = "990";

/** Account numbers that end in 900 and up choose a behaviour, in the order of the list. */
export const ENDINGS: Readonly<Record<string, Behaviour>> = Object.fromEntries(
  Object.keys(BEHAVIOURS).map((name, index) => [String(900 + index), name as Behaviour]),
);

const endingOf = (accountNumber: string): string => accountNumber.slice(-3);

/** The behaviour for an account, by the end of its number; otherwise a match. */
export const behaviourOf = (accountNumber: string): Behaviour => ENDINGS[endingOf(accountNumber)] ?? "match";

type Failure = { status: number; code: string; title: string; detail: string; retryable: boolean };

const limit = (code: string, title: string, detail: string): Failure => ({
  status: 422,
  code,
  title,
  detail,
  retryable: true,
});

/** Unsuccessful answers, as in the provider's examples. */
const FAILURES: Partial<Record<Behaviour, Failure>> = {
  no_account_found: {
    status: 404,
    code: "ZCOPR02",
    title: "No account found",
    detail: "No record of the account can be found.",
    retryable: false,
  },
  bic_lookup_failed: {
    status: 422,
    code: "ZCOPR01",
    title: "BBAN Lookup Failed",
    detail: "Zepto was unable to validate the branch code for the given BBAN.",
    retryable: false,
  },
  unable_to_confirm: {
    status: 422,
    code: "ZCOPR00",
    title: "Unable to confirm",
    detail: "We could not confirm the account name match.",
    retryable: false,
  },
  account_daily_no_match_limit_exceeded: limit(
    "ZCOPR04",
    "Daily account no match limit reached",
    "The daily no match limit has been reached for the account.",
  ),
  requester_daily_no_match_limit_exceeded: limit(
    "ZCOPR05",
    "Daily requester no match limit reached",
    "The daily no match limit has been reached for the requester.",
  ),
  account_daily_request_limit_exceeded: limit(
    "ZCOPR06",
    "Daily account limit reached",
    "The daily request limit has been reached for the account.",
  ),
  requester_daily_request_limit_exceeded: limit(
    "ZCOPR07",
    "Daily requester limit reached",
    "The daily request limit has been reached for the requester.",
  ),
};

/** The `data` of an answer about an account; names and insights only where the provider gives them. */
function outcomeOf(behaviour: Behaviour, asked: { name: string; accountNumber: string }) {
  const isJoint = endingOf(asked.accountNumber) === JOINT_ENDING;
  const insights = (risk?: number) => ({
    insights: {
      ...(risk !== undefined && { risk_score: risk }),
      is_joint: isJoint,
      suggested_payment_channels: ["npp.sct", "de.dc"],
    },
  });
  const named = (result: string, name: string) => ({
    result,
    match_name: name,
    message: `The account is in the name of ${name}`,
  });
  switch (behaviour) {
    case "close_match":
      return { outcome: named("close_match", closeForm(asked.name)), ...insights(35) };
    case "non_individual_no_match":
      return { outcome: named("no_match", unrelatedName(asked.name)), ...insights() };
    case "individual_no_match":
      return { outcome: { result: "no_match" } };
    case "account_closed":
      return { outcome: { result: "account_closed" } };
    default: {
      const name = asBankWrites(asked.name);
      return { outcome: named("match", isJoint ? `${name} and others` : name), ...insights(10) };
    }
  }
}

/** Zepto's Confirmation of Payee, version 20260101. */
const VERSION = "20260101";
const UNRESERVED = /^[A-Za-z0-9._~-]{1,64}$/;
const BBAN = /^\d{6}-?\d{4,9}$/;
/** This many look-ups are remembered, because each needs a unique `uid`. */
const KEPT_UIDS = 2_000;

type Asked = {
  uid?: unknown;
  account_identifier?: { type?: unknown; value?: unknown };
  party_name?: unknown;
  requester?: { id?: unknown };
  sandbox?: { simulate?: unknown };
};

type LookUp = { uid: string; name: string; accountNumber: string; behaviour: Behaviour };

/** Banks that say at once whether a name belongs to an account. */
export function copParty(context: SimulatorContext): Party {
  const uids = context.slice<string[]>("cop", () => []);

  function validate({ request, body }: SimulatedCall): Response {
    if (request.headers.get("authorization") !== `Bearer ${context.secrets.copToken}`) {
      return errors(401, { title: "Unauthorised access token", detail: "Access token is expired or not valid" });
    }
    if (request.headers.get("zepto-api-version") !== VERSION) return invalid("Zepto-API-Version must be 20260101");
    const read = readLookUp(body);
    if (typeof read === "string") return invalid(read);
    if (uids.includes(read.uid)) return invalid("params.uid has been used before");
    uids.push(read.uid);
    uids.splice(0, Math.max(0, uids.length - KEPT_UIDS));
    context.save();
    return answer(read);
  }

  return {
    name: "cop",
    links: [{ href: "/cop", text: "Confirmation of Payee" }],
    isAppCall: ({ path }) => path.startsWith("/cop/"),
    app: createRoutes(
      [route("POST", "/cop/account/validate", validate), route("GET", "", overview)],
      () => new Response("Not found", { status: 404 }),
    ),
    errorAnswer: (status) =>
      errors(status, { title: "Unavailable", detail: "The service is unavailable. Please try again later." }),
    asSomebodyElse: (text) => text.replace(/"uid":"[^"]*"/, '"uid":"of-another-look-up"'),
    summarise: ({ body }) => body.replace(/\d{4,}(?=\d{3}")/g, "..."),
  };
}

/** A question that the interface accepts, or why it does not. */
function readLookUp(body: string): LookUp | string {
  const asked = parse(body);
  const { uid, account_identifier: account, party_name: name, requester, sandbox } = asked;
  if (typeof uid !== "string" || !UNRESERVED.test(uid)) return "params.uid is in invalid format";
  if (account?.type !== "bban") return "params.account_identifier.type must be one of: bban";
  if (typeof account.value !== "string" || !BBAN.test(account.value)) {
    return "params.account_identifier.value is in invalid format";
  }
  if (typeof name !== "string" || name.trim() === "") return "params.party_name must be filled";
  if (typeof requester?.id !== "string" || !UNRESERVED.test(requester.id)) return "params.requester.id must be filled";
  const accountNumber = account.value.replace("-", "").slice(6);
  const told = sandbox?.simulate;
  if (told !== undefined && !isBehaviour(told)) return "params.sandbox.simulate is not known";
  return { uid, name, accountNumber, behaviour: told ?? behaviourOf(accountNumber) };
}

function parse(body: string): Asked {
  try {
    return (JSON.parse(body) ?? {}) as Asked;
  } catch {
    return {};
  }
}

function answer({ uid, behaviour, ...asked }: LookUp): Response {
  if (behaviour === "rate_limited") return new Response("", { status: 429 });
  const failure = FAILURES[behaviour];
  if (!failure) return Response.json({ data: { ...outcomeOf(behaviour, asked), uid } });
  const { status, ...error } = failure;
  return Response.json({ errors: [error], data: { uid } }, { status });
}

const errors = (status: number, error: { title: string; detail: string }): Response =>
  Response.json({ errors: [error] }, { status });

const invalid = (detail: string): Response => errors(422, { title: "Validation Failed", detail });

function overview(): Response {
  const rows = Object.entries(ENDINGS).map(
    ([ending, behaviour]) => html`<tr><td>${ending}</td><td>${behaviour}</td><td>${BEHAVIOURS[behaviour]}</td></tr>`,
  );
  return page(
    "Confirmation of Payee",
    html`<p>The end of the account number chooses what the bank says. Any other number is a match; 990 is one of a joint account.</p>
<table><thead><tr><th>Ends in</th><th>Behaviour</th><th>What the bank says</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}
