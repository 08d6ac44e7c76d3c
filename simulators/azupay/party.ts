import { asBankWrites, closeForm, unrelatedName } from "../basiq/names";
import { type Behaviour, behaviourOf } from "../cop/party";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";

/** Azupay's Account Check, version 1. The end of the account number chooses what the bank says, as at /cop. */

/** Why a bank was not asked or could not answer, and whether the interface advises to ask again. */
const PROBLEMS: Partial<Record<Behaviour, { code: string; text: string; retry: boolean }>> = {
  bic_lookup_failed: { code: "BSBN", text: "The BSB is not known", retry: false },
  unable_to_confirm: { code: "OOUT", text: "The account holder has opted out", retry: false },
  account_daily_no_match_limit_exceeded: { code: "TMNY", text: "Too many look-ups", retry: true },
  requester_daily_no_match_limit_exceeded: { code: "TMNY", text: "Too many look-ups", retry: true },
  account_daily_request_limit_exceeded: { code: "TMNY", text: "Too many look-ups", retry: true },
  requester_daily_request_limit_exceeded: { code: "TMNY", text: "Too many look-ups", retry: true },
};

type Asked = {
  accountCheckId?: unknown;
  bsb?: unknown;
  accountNumber?: unknown;
  accountName?: unknown;
  purposeCode?: unknown;
  additionalDetails?: { endUserId?: unknown; endUserSessionId?: unknown };
};

const FIELDS: readonly [name: string, pattern: RegExp, read: (asked: Asked) => unknown][] = [
  ["accountCheckId", /^[ -~]{5,100}$/, ({ accountCheckId }) => accountCheckId],
  ["bsb", /^[0-9]{6}$/, ({ bsb }) => bsb],
  ["accountNumber", /^[0-9]{4,12}$/, ({ accountNumber }) => accountNumber],
  ["accountName", /^\S.{0,138}\S$/u, ({ accountName }) => accountName],
  ["purposeCode", /^(PYMT|PAYE|MAND|PIRQ|VADR)$/, ({ purposeCode }) => purposeCode],
  ["endUserId", /^[ -~]{1,50}$/, ({ additionalDetails }) => additionalDetails?.endUserId],
  ["endUserSessionId", /^[ -~]{1,34}$/, ({ additionalDetails }) => additionalDetails?.endUserSessionId],
];

export function azupayParty(context: SimulatorContext): Party {
  function check({ request, body }: SimulatedCall): Response {
    if (request.headers.get("authorization") !== context.secrets.azupayKey)
      return Response.json({ message: "Unauthorized" }, { status: 401 });
    const asked = parse(body);
    const wrong = FIELDS.find(([, pattern, read]) => {
      const value = read(asked);
      return typeof value !== "string" || !pattern.test(value);
    });
    if (wrong) return failed("AZC1.1", `${wrong[0]} is not valid`);
    return answer(String(asked.accountName), behaviourOf(String(asked.accountNumber)));
  }
  return {
    name: "azupay",
    links: [],
    isAppCall: ({ path }) => path.startsWith("/accountCheck"),
    app: createRoutes([route("POST", "/accountCheck", check)], () => new Response("Not found", { status: 404 })),
    errorAnswer: (status) => Response.json({ message: "The service is not available" }, { status }),
    summarise: ({ body }) => body.replace(/\d{4,}(?=\d{3}")/g, "..."),
  };
}

function parse(body: string): Asked {
  try {
    return (JSON.parse(body) ?? {}) as Asked;
  } catch {
    return {};
  }
}

const failed = (failureCode: string, failureReason: string): Response =>
  Response.json({ message: "Invalid request", details: { failureCode, failureReason } }, { status: 400 });

function answer(name: string, behaviour: Behaviour): Response {
  if (behaviour === "rate_limited") return Response.json({ message: "Too Many Requests" }, { status: 429 });
  const problem = PROBLEMS[behaviour];
  if (problem)
    return Response.json({
      accountCheckResultCode: "ERRR",
      accountCheckResult: "Error",
      errorReasonCode: problem.code,
      errorReasonDescription: problem.text,
      retryAdvice: problem.retry,
    });
  const said = (accountCheckResultCode: string, accountCheckResult: string, displayAccountName?: string) =>
    Response.json({ accountCheckResultCode, accountCheckResult, ...(displayAccountName && { displayAccountName }) });
  switch (behaviour) {
    case "close_match":
      return said("CMTC", "Close match", closeForm(name));
    case "individual_no_match":
      return said("NMTC", "No match");
    case "non_individual_no_match":
      return said("NMTC", "No match", unrelatedName(name));
    case "account_closed":
      return said("CLSD", "Account closed");
    case "no_account_found":
      return said("NFND", "Account not found");
    default:
      return said("MTCH", "Match", asBankWrites(name));
  }
}
