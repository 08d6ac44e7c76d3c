import type { BankCheck } from "./find-bank-check";
import { asBankWrites, closeForm, SECOND_HOLDER, unrelatedName } from "./names";
import type { AccountFacts, IdentityFacts, JobEnding } from "./state";

/** What the payee's bank will say: each persona is one way for a check to end. */
export const PERSONAS = {
  match: "The bank holds the name as it was given",
  close: "The bank holds a close form of the name",
  no_match: "The account belongs to somebody else",
  name_withheld: "The account is there, the bank gives no name",
  masked: "The bank shows only the last digits of the number",
  closed: "The account is closed",
  not_shared: "Other accounts are shared, this one is not",
  joint: "Two people hold the account",
  business: "The name is that of the business, with its ABN",
  refused: "The payee refuses",
  outage: "The bank is down",
  never: "The bank never finishes",
  withdrawn: "The payee takes the consent back before the bank has answered",
} as const;

export type Persona = keyof typeof PERSONAS;

export function isPersona(text: unknown): text is Persona {
  return typeof text === "string" && Object.hasOwn(PERSONAS, text);
}

export type PersonaStory = { ending: JobEnding; accounts: AccountFacts[]; identity: IdentityFacts };

/** Eleven digits whose check digits are right, for a business whose ABN the app was not told. */
const INVENTED_ABN = "10000000000";

const ENDINGS: Partial<Record<Persona, JobEnding>> = {
  refused: {
    kind: "failure",
    step: "verify-credentials",
    code: "authorization-failed",
    title: "Authorization failed",
    detail: "access_denied",
  },
  outage: {
    kind: "failure",
    step: "retrieve-accounts",
    code: "service-unavailable",
    title: "Service unavailable",
    detail: "Service is currently unavailable. Please try again later.",
  },
  never: { kind: "never" },
  withdrawn: { kind: "never" },
};

/** What a persona's bank says about what was submitted. */
export function tellStory(persona: Persona, { submitted, payee }: Pick<BankCheck, "submitted" | "payee">) {
  const { bsb, accountNumber } = submitted;
  const name = asBankWrites(submitted.accountName);
  const asked = depositAccount(bsb, accountNumber, name);
  const others = [depositAccount(bsb, anotherNumber(accountNumber), name), cardAccount(name)];
  const story = (account: Partial<AccountFacts>, identity: IdentityFacts = { fullName: name }): PersonaStory => ({
    ending: ENDINGS[persona] ?? { kind: "success" },
    accounts: [{ ...asked, ...account }, ...others],
    identity,
  });
  /** One name on everything the customer has. */
  const heldBy = (holder: string | null, identity: IdentityFacts = { fullName: holder }): PersonaStory => {
    const { accounts, ...rest } = story({}, identity);
    return { ...rest, accounts: accounts.map((account) => ({ ...account, accountHolder: holder })) };
  };

  switch (persona) {
    case "close":
      return heldBy(closeForm(submitted.accountName));
    case "no_match":
      return heldBy(unrelatedName(submitted.accountName));
    case "name_withheld":
      return heldBy(null);
    case "business":
      return heldBy(null, businessIdentity(name, payee));
    case "masked": {
      const hidden = `xxxx${accountNumber.slice(-4)}`;
      return story({ accountNo: hidden, maskedNumber: hidden, bsb: undefined, unmaskedAccNum: undefined });
    }
    case "closed":
      return story({ status: "unavailable" });
    case "not_shared":
      return { ...story({}), accounts: others };
    case "joint":
      return story({ accountHolder: `${name} & ${SECOND_HOLDER}`, accountOwnership: "TWO_PARTY" });
    case "match":
    case "refused":
    case "outage":
    case "never":
    case "withdrawn":
      return story({});
  }
}

function businessIdentity(legalName: string, payee: BankCheck["payee"]): IdentityFacts {
  const businessName = asBankWrites(payee.name);
  return { fullName: null, organisation: { businessName, legalName, abn: payee.abn ?? INVENTED_ABN } };
}

function depositAccount(bsb: string, accountNumber: string, holder: string): AccountFacts {
  return {
    name: "Everyday account",
    accountNo: bsb + accountNumber,
    bsb,
    unmaskedAccNum: accountNumber,
    maskedNumber: `xxxx${accountNumber.slice(-4)}`,
    accountHolder: holder,
    accountOwnership: "ONE_PARTY",
    isOwned: true,
    class: { type: "transaction", product: "Everyday Account" },
    status: "available",
  };
}

/** Every customer has one; nobody is paid into it. */
function cardAccount(holder: string): AccountFacts {
  return {
    ...depositAccount("", "", holder),
    name: "Credit card",
    accountNo: "xxxxxxxxxxxx4242",
    bsb: undefined,
    unmaskedAccNum: undefined,
    maskedNumber: "xxxxxxxxxxxx4242",
    class: { type: "credit-card", product: "Low Rate Card" },
  };
}

/** A number of the same length that differs in every digit. */
function anotherNumber(accountNumber: string): string {
  return accountNumber.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10));
}
