import { asBankWrites, closeForm, unrelatedName } from "../basiq/names";

/** What the bank will say: the provider's own list of `simulate`, with what it means. */
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

export const isBehaviour = (text: unknown): text is Behaviour =>
  typeof text === "string" && Object.hasOwn(BEHAVIOURS, text);

/** A joint account: as `match`, with one of its holders "and others". */
const JOINT_ENDING = "990";

/** The last three digits of an account number that choose a behaviour: 900 and on, in the order of the list. */
export const ENDINGS: Readonly<Record<string, Behaviour>> = Object.fromEntries(
  Object.keys(BEHAVIOURS).map((name, index) => [String(900 + index), name as Behaviour]),
);

export const endingOf = (accountNumber: string): string => accountNumber.slice(-3);

/** The behaviour of an account: by the end of its number, and a match otherwise. */
export const behaviourOf = (accountNumber: string): Behaviour => ENDINGS[endingOf(accountNumber)] ?? "match";

type Failure = { status: number; code: string; title: string; detail: string; retryable: boolean };

const limit = (code: string, title: string, detail: string): Failure => ({
  status: 422,
  code,
  title,
  detail,
  retryable: true,
});

/** Answers that are no success, as the provider's examples have them. */
export const FAILURES: Partial<Record<Behaviour, Failure>> = {
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
export function outcomeOf(behaviour: Behaviour, asked: { name: string; accountNumber: string }) {
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
