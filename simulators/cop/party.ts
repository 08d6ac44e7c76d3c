import { html, page } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";
import { BEHAVIOURS, type Behaviour, behaviourOf, ENDINGS, FAILURES, isBehaviour, outcomeOf } from "./behaviours";

/** Zepto's Confirmation of Payee, version 20260101. */
const VERSION = "20260101";
const UNRESERVED = /^[A-Za-z0-9._~-]{1,64}$/;
const BBAN = /^\d{6}-?\d{4,9}$/;
/** So many look-ups are remembered: each needs a `uid` of its own. */
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
