import { expect, test } from "vitest";
import { parseForm } from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import { withQuery } from "~/kernel/paths/site";
import { readOrganizationsQuery, readPeopleQuery, wordsOf } from "~/modules/accounts/administration/admin-lists";
import { CHOSEN_RULES } from "~/modules/rules";
import { INVOICE_RULES } from "~/modules/rules/invoices";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import { parseDetailsForm } from "./details.server";
import { claimStateOf } from "./organization";
import { changedPolicies, toPolicyView } from "./policy";
import { policyFormSchema } from "./policy.server";

function formOf(values: Record<string, string | File>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  return form;
}

async function errorsOf(run: () => unknown): Promise<Record<string, string[]> | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.fieldErrors : { thrown: [String(error)] };
  }
}

test("details are read as people type them", async () => {
  const form = formOf({
    name: "  Harbour   Joinery ",
    abn: "51 824 753 556",
    address: "1 Wharf Road \r\nSydney",
    phone: "(02) 9374 4000",
    contactEmail: "Office@Harbour.example",
    website: "harbour.example",
  });
  expect(await parseDetailsForm(form)).toEqual({
    details: {
      name: "Harbour Joinery",
      abn: "51824753556",
      address: "1 Wharf Road\nSydney",
      phone: "+61293744000",
      contactEmail: "office@harbour.example",
      website: "https://harbour.example/",
      subdomain: null,
    },
    logo: undefined,
  });
});

test("what is left empty is taken away, and a logo only when asked", async () => {
  const form = formOf({ name: "Harbour Joinery", abn: "", phone: " ", removeLogo: "on" });
  const { details, logo } = await parseDetailsForm(form);
  expect(details).toEqual({
    name: "Harbour Joinery",
    abn: null,
    address: null,
    phone: null,
    contactEmail: null,
    website: null,
    subdomain: null,
  });
  expect(logo).toBeNull();
});

test.each([
  ["name", "X", "Organisation name must be at least 2 characters"],
  ["name", "See www.evil.example", "A name cannot contain a web address"],
  ["abn", "123", "ABN must be at least 11 characters"],
  ["abn", "51824753557", "This ABN is not valid. Please check each digit"],
  ["phone", "12", "Enter a phone number that exists, such as (02) 9374 4000"],
  ["contactEmail", "nobody", "Please enter a valid email address"],
  ["website", "javascript:alert(1)", "Enter a web address, such as https://example.com.au"],
  ["website", "https://user@harbour.example", "Enter a web address, such as https://example.com.au"],
  ["website", "https://localhost", "Enter a web address, such as https://example.com.au"],
])("%s %j is refused beside its field", async (field, value, sentence) => {
  const errors = await errorsOf(() => parseDetailsForm(formOf({ name: "Harbour Joinery", [field]: value })));
  expect(errors).toEqual({ [field]: [sentence] });
});

test("a logo that is no picture is refused beside its field, with the other mistakes", async () => {
  const logo = new File(["<svg/>"], "logo.png", { type: "image/png" });
  const errors = await errorsOf(() => parseDetailsForm(formOf({ name: "X", logo })));
  expect(Object.keys(errors ?? {})).toEqual(["name", "logo"]);
});

const readPolicyForm = (form: FormData) => parseForm(form, policyFormSchema);

const POLICY_FORM = {
  version: "0",
  reverifyAfterMonths: "12",
  firstPaymentLimitCents: "10,000.00",
  promotionMinSpanDays: "0",
  promotionMinDistinctDays: "0",
  promotionMinCents: "0",
  weakeningDelayHours: "24",
  askBanks: "added_or_changed",
  passkeyGraceDays: "14",
  passkeyAboveCents: "10,000.00",
  idleMinutes: "720",
  stepUpMinutes: "15",
  confirmAgainMonths: "12",
  bankBudgetCents: "100.00",
  approvalEvidence: "flagged",
  timeZone: "Australia/Sydney",
};

test("the form of policies, sent as it was shown, changes nothing", () => {
  const view = toPolicyView(DEFAULT_POLICY, 7);
  const sent = readPolicyForm(formOf({ ...view.values, version: String(view.version) }));
  expect(sent).toEqual({ version: 7, policy: DEFAULT_POLICY });
  expect(changedPolicies(DEFAULT_POLICY, sent.policy)).toEqual({});
});

test("every rule that can be chosen is in one group of the page", () => {
  const shown = Object.values(toPolicyView(DEFAULT_POLICY, 1).rules).flatMap((rules) => rules.map(({ id }) => id));
  expect(shown.sort()).toEqual([...CHOSEN_RULES, ...INVOICE_RULES].map(({ id }) => id).sort());
});

test("what an organisation has changed is listed first, in words, with the default", () => {
  expect(toPolicyView(DEFAULT_POLICY, 1).different).toEqual([]);
  const changed = {
    ...DEFAULT_POLICY,
    secondPersonRequired: true,
    passkeyAboveCents: 250_000,
    askBanks: "every_run" as const,
    ruleLevels: { staff_account: "off" } as const,
  };
  expect(toPolicyView(changed, 2).different).toEqual([
    { id: "secondPersonRequired", label: "A second person approves", now: "On", initial: "Off" },
    { id: "passkeyAboveCents", label: "Above this amount", now: "$2,500.00", initial: "$10,000.00" },
    {
      id: "askBanks",
      label: "Banks are asked automatically",
      now: "Also before every payment run",
      initial: "When a payee is added or changed",
    },
    {
      id: "ruleLevels.staff_account",
      label: expect.any(String),
      now: "Off",
      initial: "Hold the payment",
    },
  ]);
});

test("rule levels are kept only where they differ from the rule's own", () => {
  const form = formOf({
    ...POLICY_FORM,
    secondPersonRequired: "on",
    "ruleLevels.duplicate_payment": "off",
    "ruleLevels.payee_disputed": "hold",
    "ruleLevels.made_up": "off",
  });
  const { policy } = readPolicyForm(form);
  expect(policy).toEqual({ ...DEFAULT_POLICY, secondPersonRequired: true, ruleLevels: { duplicate_payment: "off" } });
});

test.each([
  ["reverifyAfterMonths", "0"],
  ["reverifyAfterMonths", "1.5"],
  ["confirmAgainMonths", "0"],
  ["bankBudgetCents", "-1"],
  ["askBanks", "always"],
  ["promotionMinSpanDays", "-1"],
  ["promotionMinDistinctDays", "1e3"],
  ["firstPaymentLimitCents", "a lot"],
  ["firstPaymentLimitCents", "-5"],
  ["promotionMinCents", "-1"],
  ["weakeningDelayHours", "0"],
  ["weakeningDelayHours", "337"],
  ["approvalEvidence", "never"],
  ["stepUpMinutes", "4"],
  ["stepUpMinutes", "481"],
  ["timeZone", "Mars/Olympus"],
  ["ruleLevels.duplicate_payment", "maybe"],
])("%s %j is refused beside its field", async (field, value) => {
  const errors = await errorsOf(() => readPolicyForm(formOf({ ...POLICY_FORM, [field]: value })));
  expect(Object.keys(errors ?? {})).toEqual([field]);
});

test.each([
  ["ada@harbour.example", true, "claimable"],
  ["ada@harbour.example", false, "unconfirmed"],
  ["ada@taken.example", true, "claimed"],
  ["ada@gmail.com", true, "mail_provider"],
] as const)("the domain of %s (confirmed: %s) is %s", (email, emailVerified, state) => {
  expect(claimStateOf({ email, emailVerified }, [{ domain: "taken.example" }]).state).toBe(state);
});

test("an address asks for a page of a list, and nonsense asks for all of it", () => {
  expect(readPeopleQuery(new URLSearchParams("q=+Ada+&status=pending&after=x"))).toEqual({
    q: "Ada",
    status: "pending",
    after: "x",
  });
  expect(readPeopleQuery(new URLSearchParams("q=+&status=odd"))).toEqual({});
  expect(readOrganizationsQuery(new URLSearchParams("standing=suspended"))).toEqual({ standing: "suspended" });
  expect(withQuery("/admin/users", { q: "a b", status: undefined })).toBe("/admin/users?q=a+b");
  expect(wordsOf(" Ada  NGUYEN a b ")).toEqual(["ada", "nguyen", "a"]);
});
