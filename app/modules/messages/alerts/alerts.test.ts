import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alertRaised } from "~/emails/alert-emails";
import type { CheckOutcome } from "~/kernel/enums";
import type { TrailEntry } from "~/modules/core/trail-reading.server";
import { REVIEW_FLAGS, type ReviewFlag } from "~/modules/payees/verifications/review-flags";
import { headlineBesideAnswer, headlineOf, headlineOfFlag } from "~/modules/payees/verifications/verdict";
import { AUDIT_ACTIONS } from "~/modules/records/audit-trail/audit-sentence";
import { type AlertLine, groupByPayee, toAlertLine } from "./alerts.view";
import { bySeverity } from "./burst.server";
import {
  ALERT_EVENT_NAMES,
  type Choice,
  effectiveChoice,
  eventOf,
  isRequiredOf,
  minutesUntilQuietEnds,
  RAISING_ACTIONS,
  raisedEvents,
} from "./events";
import { alertText, leadOf } from "./sentences";
import { planAlerts, type Recipient } from "./trail.server";

const ROLES = ["admin", "member", "read_only"] as const;
const choiceOf = fc.record({
  inApp: fc.boolean(),
  email: fc.constantFrom("off" as const, "now" as const, "digest" as const),
  sms: fc.boolean(),
});

const aPerson = (over: Partial<Recipient> = {}): Recipient => ({
  userId: "mira",
  role: "member",
  email: "mira@harbour.example",
  isEmailStopped: false,
  phone: null,
  chosen: undefined,
  quiet: null,
  ...over,
});

const ENTRY: TrailEntry = {
  position: 1,
  id: "audit-1",
  organizationId: "harbour",
  userId: "editor",
  action: "payment.recorded",
  entityType: "payment",
  entityId: "payment-1",
  details: null,
  createdAt: 0,
};
const NAMES = { actor: "Ada Byrne", payee: "Coastline Timber", amount: 990_000 };

const anAct = (over: Partial<Parameters<typeof planAlerts>[0]> = {}) => ({
  event: "bank_details_changed" as const,
  entry: { userId: "editor", entityId: "payee-1", details: null as TrailEntry["details"] },
  ownerId: null,
  minute: 12 * 60,
  ...over,
});

test("every action that raises an event is an action of the audit trail", () => {
  expect(RAISING_ACTIONS.filter((action) => !(action in AUDIT_ACTIONS))).toEqual([]);
});

test.each([
  ["payment.recorded", { decision: "held" }, "payment_held"],
  ["payment.recorded", { decision: "authorised" }, undefined],
  ["payment.recorded", { decision: "authorised", firstFromAccounting: {} }, "first_payment_from_accounting"],
  ["payment.approved", { rules: [] }, undefined],
  ["payment.approved", { firstFromAccounting: {} }, "first_payment_from_accounting"],
  ["invoice.read", { stops: 0 }, undefined],
  ["invoice.read", { stops: 1 }, "invoice_stopped"],
  ["invoice.accepted", { selfApproval: true }, "trusted_alone"],
  ["invoice.accepted", {}, undefined],
  ["payment_file.cleared", { lineCount: 1 }, undefined],
  ["payment_file.cleared", { firstFromAccounting: {} }, "first_payment_from_accounting"],
  ["verification.opened", { cause: "payee_added" }, "verification_waiting"],
  ["verification.opened", { cause: "details_edited" }, undefined],
  ["payee.bank_details_changed", null, "bank_details_changed"],
  ["payee.renamed", null, "bank_details_changed"],
  ["payee.concern_found", { concern: "dmarc_gone" }, "payee_concern"],
  ["payee.details_restored", { isTrusted: true }, ["bank_details_changed", "trusted_alone"]],
  ["verification.opened", { cause: "payee_renamed" }, undefined],
  ["payee.contact_not_told", { reason: "bounced", isFinal: true }, "contact_not_told"],
  ["payee.contact_not_told", { reason: "provider", isFinal: false }, "contact_not_told"],
  ["payee.contact_not_told", { reason: "sender_limit", isSaid: true }, undefined],
  ["payee.contact_told", { isLate: true }, "contact_not_told"],
  ["payee.contact_told", {}, undefined],
  ["message.not_delivered", { kind: "sms" }, "delivery_failed"],
  ["message.not_delivered", { kind: "sms", isNotice: true }, undefined],
  ["organization.selected", { status: "pending" }, "join_request"],
  ["organization.selected", { status: "active" }, "control_changed"],
  ["organization.policy_changed", { secondPersonRequired: { from: false, to: true } }, "control_changed"],
  ["organization.policy_weakening_asked", { changes: {}, dueAt: 1 }, "control_changed"],
  ["organization.policy_weakening_cancelled", { changes: {}, dueAt: 1 }, "control_changed"],
  ["organization.policy_weakening_confirmed", { changes: {}, dueAt: 1 }, "control_changed"],
  ["organization.policy_weakened", { changes: {}, dueAt: 1 }, "control_changed"],
  ["organization.closing_asked", { closesAt: 1 }, "control_changed"],
  ["organization.closing_cancelled", null, "control_changed"],
  ["organization.closed", null, "control_changed"],
  ["payment_file.settings_changed", { memberLimitCents: null }, "control_changed"],
  ["organization.details_changed", { contactEmail: { from: null, to: "a@b.example" } }, "control_changed"],
  ["organization.details_changed", { phone: { from: null, to: "1" } }, undefined],
  ["organization.contact_confirmed", { from: null, to: "a@b.example" }, "control_changed"],
  ["payment_file.lines_approved", { count: 2 }, undefined],
  ["payment_file.lines_approved", { count: 2, selfApproval: true, ownCount: 1 }, "trusted_alone"],
  ["audit.seal_failed", { brokenAt: 7 }, "seal_failed"],
  ["audit.seal_kept", { count: 7, hash: "ab" }, "daily_seal"],
  ["member.invited", { email: "second@mailbox.example", role: "admin" }, "control_changed"],
  ["member.invitation_accepted", { role: "admin" }, "control_changed"],
  ["member.role_changed", { role: { from: "member", to: "admin" } }, ["role_changed", "control_changed"]],
  ["payee.whitelisted", { reason: "known for years", selfApproval: true }, "trusted_alone"],
  ["payee.whitelisted", { verificationId: "v1" }, undefined],
  ["verification.approved", { selfApproval: true }, "trusted_alone"],
  ["verification.approved", { selfApproval: false }, undefined],
  ["payment.approved", { selfApproval: true }, "trusted_alone"],
  ["records.exported", { what: "payees" }, "data_exported"],
  ["approval.refused", { why: "passkey" }, "approval_refused"],
  ["verification.commented", { text: "x", people: ["u1"] }, "mentioned"],
  ["verification.commented", { text: "x", people: [] }, undefined],
  ["verification.assigned", { people: ["u1"], name: "Ana" }, "assigned"],
  ["session.started", null, undefined],
])("%s with %j raises %s", (action, details, expected) => {
  expect(raisedEvents({ action, details })).toEqual([expected ?? []].flat());
});

test("the subscription's own emails are not doubled", () => {
  expect(ALERT_EVENT_NAMES.filter((event) => eventOf(event).hasOwnEmails)).toEqual(["subscription_changed"]);
});

describe.each(ALERT_EVENT_NAMES)("%s", (event) => {
  test.each(ROLES)("for a person with the role %s", (role) => {
    const choice = effectiveChoice(event, role, undefined);
    expect(choice.sms).toBe(false);
    if (isRequiredOf(event, role)) expect([choice.inApp, choice.email]).not.toContainEqual("off");
    if (role === "read_only" && "roles" in eventOf(event).audience) {
      expect(choice).toEqual({ inApp: false, email: "off", sms: false });
    }
  });

  test("nobody is told of their own act", () => {
    const own = anAct({
      event,
      entry: { userId: "mira", entityId: "mira", details: { people: ["mira"] } },
      ownerId: "mira",
    });
    const everything: Choice = { inApp: true, email: "now", sms: true };
    const people = ROLES.map((role) => aPerson({ role, chosen: everything, phone: "+61412345678" }));
    expect(planAlerts(own, people)).toEqual([]);
  });

  test("an admin cannot switch a required event off", () => {
    fc.assert(
      fc.property(choiceOf, (chosen) => {
        const choice = effectiveChoice(event, "admin", chosen);
        return !isRequiredOf(event, "admin") || (choice.inApp && choice.email !== "off");
      }),
    );
  });

  test("where what happened sends emails of its own, the alert is not emailed as well", () => {
    fc.assert(
      fc.property(choiceOf, (chosen) => {
        const { email } = effectiveChoice(event, "admin", chosen);
        return eventOf(event).hasOwnEmails !== true || email === "off";
      }),
    );
  });

  test("its sentence names what happened, with no empty words", () => {
    const said = alertText(event, ENTRY, { ...NAMES, amount: 123450 });
    expect(said.title.length).toBeGreaterThan(8);
    expect(`${said.title} ${said.body}`).not.toMatch(/undefined|null|NaN|\s{2}/);
    expect(said.href).toMatch(/^\/[a-z]/);
  });
});

test.each([
  [{ verified: 0, rejected: 1 }, "0 payees verified, 1 rejected."],
  [{ verified: 3, rejected: 0 }, "3 payees verified, 0 rejected."],
  [
    { verified: 6, verifiedByBank: 3, verifiedByCall: 1, verifiedByVouching: 0, verifiedByPerson: 2, rejected: 4 },
    "6 payees verified (3 confirmed by the bank, 1 called back, 2 approved by a person only), 4 rejected.",
  ],
])("the summary of a month says how payees were verified, where that was counted: %j", (details, said) => {
  const entry = { position: 1, id: "a", organizationId: "o", userId: null, createdAt: 0, details };
  const about = { action: "report.month_ended", entityType: "organization", entityId: "o" };
  const text = alertText("month_summary", { ...entry, ...about }, { actor: "PayeeProof", payee: null, amount: null });
  expect(text.body.startsWith(said)).toBe(true);
});

test.each([
  ["a member", aPerson(), { inApp: true, emailNow: true, digest: false, smsTo: null }],
  ["a member whose emails are stopped", aPerson({ isEmailStopped: true }), { inApp: true, emailNow: false }],
  [
    "a member who chose text messages and confirmed a number",
    aPerson({ chosen: { inApp: false, email: "off", sms: true }, phone: "+61412345678" }),
    { inApp: false, emailNow: false, smsTo: "+61412345678" },
  ],
  [
    "a member who prefers the daily summary",
    aPerson({ chosen: { inApp: true, email: "digest", sms: false } }),
    { emailNow: false, digest: true },
  ],
])("changed bank details are told to %s as chosen", (_who, person, expected) => {
  expect(planAlerts(anAct(), [person])).toMatchObject([{ userId: "mira", ...expected }]);
});

test("people who look on are told only what they chose", () => {
  expect(planAlerts(anAct(), [aPerson({ role: "read_only" })])).toEqual([]);
  const chosen = { inApp: true, email: "off", sms: false } as const;
  expect(planAlerts(anAct(), [aPerson({ role: "read_only", chosen })])).toHaveLength(1);
});

test("who recorded a payment is told at once that it is held again, unless they chose otherwise", () => {
  const act = anAct({ event: "payment_held_again", ownerId: "mira" });
  expect(planAlerts(act, [aPerson()])).toMatchObject([{ emailNow: true, digest: false }]);
  const chosen = { inApp: true, email: "digest", sms: false } as const;
  expect(planAlerts(act, [aPerson({ chosen })])).toMatchObject([{ emailNow: false, digest: true }]);
});

test.each<[string, Partial<Recipient>, string | null, string]>([
  ["a member who has chosen nothing", {}, null, "unless you choose otherwise"],
  [
    "a member who chose it",
    { chosen: { inApp: true, email: "now", sms: false } },
    null,
    "because you chose alerts of this kind",
  ],
  ["whose own payment it is", {}, "mira", "about something that you recorded"],
  [
    "whose own payment it is, who chose",
    { chosen: { inApp: true, email: "now", sms: false } },
    "mira",
    "because you chose",
  ],
  ["an administrator, who always has it", { role: "admin" }, null, "because administrators are always told about this"],
])("an email says truly why it comes: to %s", (_who, over, ownerId, said) => {
  const event = ownerId === null ? "bank_details_changed" : "payment_held_again";
  const [plan] = planAlerts(anAct({ event, ownerId }), [aPerson(over)]);
  expect(plan).toMatchObject({ emailNow: true });
  const { reason } = alertRaised({ title: "", body: "", href: "", stopHref: "", why: plan?.why });
  expect(reason).toContain(said);
  expect(reason.includes("you chose alerts")).toBe(over.chosen !== undefined);
});

test("a changed role is told to the person it is about, and to no other person", () => {
  const act = anAct({ event: "role_changed", entry: { userId: "admin", entityId: "mira", details: null } });
  expect(planAlerts(act, [aPerson(), aPerson({ userId: "other" })]).map(({ userId }) => userId)).toEqual(["mira"]);
});

test.each(["mentioned", "assigned"] as const)(
  "%s is told to the people that are named, and to no other person",
  (event) => {
    const act = anAct({ event, entry: { userId: "admin", entityId: "v1", details: { people: ["mira"] } } });
    expect(planAlerts(act, [aPerson(), aPerson({ userId: "other" })]).map(({ userId }) => userId)).toEqual(["mira"]);
  },
);

test.each([
  ["no quiet hours", null, 600, 0],
  ["before them", { from: 1260, to: 420 }, 1259, 0],
  ["as they begin", { from: 1260, to: 420 }, 1260, 600],
  ["after midnight", { from: 1260, to: 420 }, 60, 360],
  ["as they end", { from: 1260, to: 420 }, 420, 0],
  ["within one day", { from: 720, to: 780 }, 730, 50],
  ["a span of nothing", { from: 600, to: 600 }, 600, 0],
])("quiet hours: %s", (_case, quiet, minute, expected) => {
  expect(minutesUntilQuietEnds(quiet, minute)).toBe(expected);
});

test("waiting always ends at the end of quiet hours", () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  fc.assert(
    fc.property(minute, minute, minute, (from, to, at) => {
      const wait = minutesUntilQuietEnds({ from, to }, at);
      return wait === 0 || (at + wait) % 1440 === to;
    }),
  );
});

const UNKNOWN = { system: "xero", editedBy: null, isEditorKnown: false };
const KNOWN = { system: "xero", editedBy: "Jo Nguyen", isEditorKnown: true };
const inFile = (from: object, name: string) => ({ ...from, id: name, name, cents: 990_000 });

test.each([
  [
    "payment.recorded",
    UNKNOWN,
    "First payment: $9,900.00 to Coastline Timber",
    "Its bank details came from Xero, and it is not known who entered them there. Ada Byrne recorded the payment, and it was authorised.",
  ],
  [
    "payment.approved",
    { ...UNKNOWN, editedBy: "J. N." },
    "First payment: $9,900.00 to Coastline Timber",
    "it is not known who entered them there (the last edit is by J. N.). Ada Byrne approved the payment",
  ],
  [
    "payment.recorded",
    KNOWN,
    "First payment: $9,900.00 to Coastline Timber",
    "Its bank details came from Xero, last edited there by Jo Nguyen. Ada Byrne recorded the payment",
  ],
  [
    "payment_file.cleared",
    { count: 1, cents: 990_000, payees: [inFile(UNKNOWN, "Coastline Timber")] },
    "First payment: $9,900.00 to Coastline Timber",
    "it is not known who entered them there. Ada Byrne cleared the payment file.",
  ],
  [
    "payment_file.cleared",
    { count: 7, cents: 6_930_000, payees: [inFile(KNOWN, "Coastline Timber"), inFile(UNKNOWN, "Acme")] },
    "First payments: $69,300.00 to 7 payees",
    "The bank details of Coastline Timber, Acme and 5 more came from Xero, and for some of them it is not known who entered them there. Ada Byrne cleared",
  ],
])("%s with %j tells of the first payment and where the account came from", (action, from, title, body) => {
  const entry = { ...ENTRY, action, details: { firstFromAccounting: from } };
  const said = alertText("first_payment_from_accounting", entry, NAMES);
  expect(said.title).toBe(title);
  expect(said.body).toContain(body);
});

describe("what is said of the former contact", () => {
  const entry = (action: string, details: TrailEntry["details"]): TrailEntry => ({
    position: 1,
    id: "audit-1",
    organizationId: "harbour",
    userId: null,
    action,
    entityType: "payee",
    entityId: "payee-1",
    details,
    createdAt: 0,
  });
  const names = { actor: "Carl Ng", payee: "Wattle Creek", amount: null };
  const HELD = "Carl Ng changed the bank details. Payments to this payee are held until the new details are verified.";

  test.each<[string, unknown, string]>([
    ["nothing is known, of an older entry", undefined, HELD],
    [
      "on its way",
      { contacts: 1 },
      `${HELD} A notice to the former contact is on its way; another alert tells you if it cannot be sent.`,
    ],
    [
      "held up by the quota",
      { contacts: 2, problem: "sender_limit" },
      `${HELD} The former contact was NOT told yet: the organisation has sent as many notices of changes as it can in 24 hours. We keep trying.`,
    ],
    [
      "collected",
      { contacts: 1, isCollected: true },
      `${HELD} The former contact was NOT told yet: today's changes are collected for one more message.`,
    ],
    [
      "nobody on file",
      { contacts: 0 },
      `${HELD} The former contact was NOT told: there was no email address or mobile number on file.`,
    ],
  ])("with the change: %s", (_case, telling, body) => {
    const changed = entry("payee.bank_details_changed", telling === undefined ? {} : { telling });
    expect(alertText("bank_details_changed", changed, names).body).toBe(body);
  });

  test.each<[string, CheckOutcome, ReviewFlag[], { title: string; body: string }]>([
    [
      "nothing speaks against the payee",
      "match",
      [],
      { title: "Matches: Acme", body: "The bank check ended. The bank confirms the name." },
    ],
    [
      "the bank alone speaks against it, in its own words",
      "no_match",
      ["name_mismatch"],
      { title: "Does not match: Acme", body: "The bank check ended. The bank confirms the name." },
    ],
    [
      "the account was another payee's",
      "match",
      ["former_account", "changed_details"],
      {
        title: "Another payee's former account: Acme",
        body: "The account was another payee's before. Compare it with that payee, and ask why the account is the same, using a contact you already had. The bank's answer: The bank confirms the name.",
      },
    ],
    [
      "contact and bank details were changed together",
      "match",
      ["contact_and_bank_changed"],
      {
        title: "Contact and bank changed: Acme",
        body: "The bank details and the payee's email or phone were changed close together. Call the payee using a contact that you had before the changes, or reject. The bank's answer: The bank confirms the name.",
      },
    ],
  ])("a bank check that finished, where %s", (_case, outcome, flags, said) => {
    const facts = { status: "pending", outcome, reasonCode: null, flags, isWaiting: false, check: null } as const;
    const finished = entry("verification.bank_check_finished", {
      beside: headlineBesideAnswer(facts),
      verdict: headlineOf(facts).name,
      explanation: "The bank confirms the name.",
    });
    expect(alertText("result_arrived", finished, { ...names, payee: "Acme" })).toMatchObject(said);
  });

  test.each(REVIEW_FLAGS)("a bank check that finished never hides what the page shows in red: %s", (flag) => {
    const headline = headlineOfFlag(flag);
    const beside = headlineBesideAnswer({ outcome: null, reasonCode: null, flags: [flag] });
    const details = { beside, verdict: headline.name, explanation: "The bank answered." };
    const { title, body } = alertText("result_arrived", entry("verification.bank_check_finished", details), names);
    expect(title).toBe(`${headline.word}: ${names.payee}`);
    expect(body).toMatch(beside ? /^.*\. .*\. The bank's answer: The bank answered\.$/ : /^The bank check ended\./);
    const stored = { id: "1", event: "result_arrived", title, body, href: null, createdAt: 0, readAt: null };
    const { icon, tone } = toAlertLine(stored, { timeZone: "Australia/Sydney", now: 0 }, headline.name);
    expect({ icon, tone }).toEqual({ icon: headline.icon, tone: headline.tone });
  });

  test("a bank check that finished before its verdict was kept is said without a colour", () => {
    const finished = entry("verification.bank_check_finished", { outcome: "no_match", explanation: "Another name." });
    const said = alertText("result_arrived", finished, names);
    expect(said).toMatchObject({ title: `Bank check finished: ${names.payee}`, body: "Another name." });
    const stored = { id: "1", event: "result_arrived", ...said, createdAt: 0, readAt: null };
    for (const verdict of [null, "of_another_version"]) {
      const line = toAlertLine(stored, { timeZone: "Australia/Sydney", now: 0 }, verdict);
      expect(line).toMatchObject({ icon: "bank", tone: "neutral" });
    }
  });

  test.each<[string, string, Record<string, unknown>, string, string]>([
    [
      "not yet",
      "payee.contact_not_told",
      { changed: "bank_details", to: ["a@real.example"], reason: "provider", isFinal: false },
      "The former contact was NOT told yet: Wattle Creek",
      "We could not tell a@real.example about the changed bank details yet: the provider did not accept the message. We keep trying, and will tell you when it is sent.",
    ],
    [
      "not at all",
      "payee.contact_not_told",
      { changed: "contact", to: ["+61412345678"], reason: "not_delivered", isFinal: true },
      "The former contact was NOT told: Wattle Creek",
      "We could not tell 0412 345 678 about the changed contact details: the message did not arrive. Call the payee on a number that you had before the change.",
    ],
    [
      "told late",
      "payee.contact_told",
      { changed: "bank_details", to: ["a@real.example"], isLate: true },
      "The former contact has now been told: Wattle Creek",
      "The provider has accepted the message to a@real.example about the changed bank details.",
    ],
  ])("by itself: %s", (_case, action, details, title, body) => {
    expect(alertText("contact_not_told", entry(action, details), names)).toMatchObject({ title, body });
  });
});

test.each([
  ["Bank details changed: Riverbend Timber", "Riverbend Timber", "Riverbend Timber: bank details changed"],
  ["Does not match: Riverbend: Timber", "Riverbend: Timber", "Riverbend: Timber: does not match"],
  ["Approved alone: 2 payments of Run: 4, $9.00", "Run: 4", "Approved alone: 2 payments of Run: 4, $9.00"],
  ["Held again: $9.00 to Riverbend Timber", "Riverbend Timber", "Held again: $9.00 to Riverbend Timber"],
  ["Policies changed", null, "Policies changed"],
])("%s begins an email of several as %3$s", (title, payee, lead) => {
  expect(leadOf(title, payee)).toBe(lead);
});

test("an email of several says the gravest first, in its subject too, and counts what it has no room for", () => {
  const line = (title: string, event: string) => ({
    title,
    event,
    body: `${title}.`,
    href: "/x",
    why: "default" as const,
  });
  const [first, ...others] = bySeverity([
    line("Assigned to you: Acme", "assigned"),
    line("Bank check finished: Acme", "result_arrived"),
    { ...line("Bank details changed: Acme", "bank_details_changed"), lead: "Acme: bank details changed" },
  ]);
  expect(others.map(({ event }) => event)).toEqual(["result_arrived", "assigned"]);
  const data = { title: "", body: "", href: "", ...first, others };
  expect(alertRaised({ ...data, more: 4 })).toMatchObject({
    subject: "Acme: bank details changed, and 6 more alerts",
    after: "And 4 more in PayeeProof.",
  });
  expect(alertRaised({ ...data, others: others.slice(1) }).subject).toBe(
    "Acme: bank details changed, and 1 more alert",
  );
  expect(alertRaised({ ...data, others: [] })).toMatchObject({
    subject: "Bank details changed: Acme",
    paragraphs: ["Bank details changed: Acme."],
  });
});

test("changed bank details say which account they were and which they are, masked", () => {
  const changes = [
    { field: "bsb", from: "062000", to: "033001" },
    { field: "accountNumber", from: "•••••678", to: "•••••432" },
  ];
  const entry = { ...ENTRY, action: "payee.bank_details_changed", details: { changes } };
  expect(alertText("bank_details_changed", entry, NAMES).body).toContain(
    "Ada Byrne changed the bank details from 062-000 •••••678 to 033-001 •••••432.",
  );
});

test("former details that were put back, and other details in Xero, say both accounts, masked", () => {
  const changes = [
    { field: "bsb", from: "033001", to: "062000" },
    { field: "accountNumber", from: "•••••432", to: "•••••678" },
  ];
  const restored = { ...ENTRY, action: "payee.details_restored", details: { changes, isTrusted: true } };
  expect(alertText("bank_details_changed", restored, NAMES).body).toContain(
    "put back the former ones: from 033-001 •••••432 to 062-000 •••••678.",
  );
  const there = { ...ENTRY, action: "payee.accounting_differs", details: { system: "xero", changes } };
  expect(alertText("bank_details_changed", there, NAMES).body).toBe(
    "The bank account was changed in Xero. Using it here would change the details from 033-001 •••••432 to 062-000 •••••678. The payee keeps its details here, and payments to it are held until a person decides which are right.",
  );
  const one = { ...there, details: { system: "xero", changes: changes.slice(1) } };
  expect(alertText("bank_details_changed", one, NAMES).body).toContain(
    "Using it here would change the details: account number from •••••432 to •••••678.",
  );
});

test("alerts stand by payee, the newest group and the newest alert first, and say the name once", () => {
  const line = (id: string, title: string) => ({
    ...{ id, title, body: "", hasPage: true, isRead: false },
    when: { dateTime: "", exact: "", shown: "" } as unknown as AlertLine["when"],
    icon: "bell" as const,
    tone: "neutral" as const,
  });
  const [acme, bray] = [
    { id: "acme", name: "Acme" },
    { id: "bray", name: "Bray" },
  ];
  const groups = groupByPayee(
    [
      line("4", "Disputed: Acme"),
      line("3", "Policies changed"),
      line("2", "Disputed: Bray"),
      line("1", "Held: $1 to Acme"),
    ],
    new Map([
      ["4", { payee: acme }],
      ["2", { payee: bray }],
      ["1", { payee: acme }],
    ]),
  );
  expect(groups.map(({ payee, lines }) => [payee?.name, lines.map(({ title }) => title)])).toEqual([
    ["Acme", ["Disputed", "Held: $1 to Acme"]],
    [undefined, ["Policies changed"]],
    ["Bray", ["Disputed"]],
  ]);
});

test("an alert looks as what it is about does elsewhere", () => {
  const stored = { id: "1", title: "", body: "", href: null, createdAt: 0, readAt: null };
  const look = (event: string) => toAlertLine({ ...stored, event }, { timeZone: "Australia/Sydney", now: 0 });
  expect(look("payee_disputed")).toMatchObject({ icon: "hand", tone: "review" });
  expect(look("bank_details_changed")).toMatchObject({ icon: "pencil", tone: "pending" });
  // Each kind that is about the safety of money stands out.
  for (const event of ALERT_EVENT_NAMES.filter((name) => eventOf(name).isSafety))
    expect([event, look(event).tone]).not.toEqual([event, "neutral"]);
});

test("an invoice whose bank details could not be read is not said to suggest fraud", () => {
  const stopped = {
    ...ENTRY,
    action: "invoice.read",
    details: { stops: 1, totalCents: 110_000, verdict: "unreadable" },
  };
  expect(alertText("invoice_stopped", stopped, NAMES).body).toMatch(
    /^Its bank details could not be read beyond doubt\./,
  );
  const same = { ...stopped, details: { ...stopped.details, verdict: "same_account" } };
  expect(alertText("invoice_stopped", same, NAMES).body).toMatch(
    /^Something on it, or about its sender, suggests fraud\./,
  );
});
