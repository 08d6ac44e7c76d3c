import {
  accountQuestions,
  auditLogs,
  organizationPolicies,
  payees,
  providerCalls,
  users,
  verifications,
} from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { UpstreamError } from "~/kernel/app-error";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { ASK_BANKS, type AskBanks } from "~/kernel/enums";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { isAskedFor, wantAnswers } from "~/modules/payees/verifications/account-questions.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { decideLines } from "~/modules/payments/payment-files/decide-lines.server";
import { readFilePage } from "~/modules/payments/payment-files/file-page.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import type { InstantAnswer, InstantBankData, InstantQuestion } from "~/ports/instant-bank-data";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, details, peek, readPayee } from "../../../../tests/support/payees";
import { anUploadedFile, linesOf } from "../../../../tests/support/payment-files";
import { aNewPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { askBeforePayment } from "./ask-accounts.server";
import { askNow, askNowAbout } from "./ask-automatically.server";
import { askWaiting } from "./ask-waiting.server";
import { askConfirmationOfPayee } from "./instant-check.server";

const MATCH: InstantAnswer = { verdict: "match", name: "WATTLE CREEK ELECTRICAL PTY LTD" };
const CLOSED: InstantAnswer = { verdict: "account_closed", name: null };

type Answering = (question: InstantQuestion) => InstantAnswer | Promise<InstantAnswer>;

/** A service that records its questions. */
function aService(answer: Answering, service = "Zepto") {
  const asked: InstantQuestion[] = [];
  const provider: InstantBankData = {
    party: service === "Zepto" ? "cop" : "azupay",
    service,
    async lookUp(question) {
      asked.push(question);
      return answer(question);
    },
  };
  return { asked, provider };
}

function anAskingWorld(answer: Answering = () => MATCH) {
  const world = aWorld();
  world.config.asksBanksAutomatically = true;
  const { asked, provider } = aService(answer);
  return Object.assign(world, { instantBankData: provider, asked });
}

type Asking = ReturnType<typeof anAskingWorld>;

async function anOffice(
  world: World,
  askBanks: AskBanks = "every_run",
  role: "admin" | "member" = "member",
): Promise<Actor> {
  const actor = await aMember(world, { role });
  const { organizationId } = actor;
  await peek.insert(organizationPolicies).values({ organizationId, askBanks, updatedAt: world.clock.now() });
  return actor;
}

const askedFor = ({ asked }: Pick<Asking, "asked">, { organizationId }: Actor) =>
  asked.filter(({ requesterId }) => requesterId === organizationId);

/** A payee that was trusted without a bank check. */
const aQuietPayee = (world: World, actor: Actor) =>
  aTrustedPayee({ ...world, config: { ...world.config, asksBanksAutomatically: false } }, actor);

const setPaid = (payeeId: string) => peek.update(payees).set({ paymentCount: 3 }).where(eq(payees.id, payeeId));

/** Asks all waiting questions, one organisation after the other. */
async function askAll(world: Asking) {
  for (let run = 0; run < 5; run++) await askWaiting(world, 100_000);
}

async function pay(world: Asking, actor: Actor, to: Parameters<typeof aNewPayment>[0]) {
  const payment = aNewPayment(to);
  await askBeforePayment(world, actor, payment);
  return recordPayment(world, actor, { payment });
}

/** Each action, and the purpose for which it asks banks; null: it does not ask. */
const TRIGGERS: readonly [
  name: string,
  act: (world: Asking, actor: Actor) => Promise<unknown>,
  from: AskBanks,
  "VADR" | "PYMT",
][] = [
  [
    "a payee is added",
    async (world, actor) => askNow(world, actor, (await anAddedPayee(world, actor)).verificationId),
    "added_or_changed",
    "VADR",
  ],
  [
    "its bank details change",
    async (world, actor) => {
      const { payeeId } = await aQuietPayee(world, actor);
      await editPayee(world, actor, { payeeId, patch: { accountNumber: "55667788" } });
      await askNowAbout(world, actor, payeeId);
    },
    "added_or_changed",
    "VADR",
  ],
  [
    "a payment to an account that is no payee's",
    (world, actor) => pay(world, actor, details()),
    "added_or_changed",
    "PYMT",
  ],
  [
    "a file with an account that is no payee's",
    async (world, actor) => anUploadedFile(world, actor, [details()]).then(() => askAll(world)),
    "added_or_changed",
    "PYMT",
  ],
  [
    "a first payment",
    async (world, actor) => pay(world, actor, { payeeId: (await aQuietPayee(world, actor)).payeeId }),
    "first_payment",
    "PYMT",
  ],
  [
    "a file with a first payment",
    async (world, actor) => {
      const payee = await aQuietPayee(world, actor);
      await anUploadedFile(world, actor, [payee.details]);
      await askAll(world);
    },
    "first_payment",
    "PYMT",
  ],
  [
    "a later payment",
    async (world, actor) => {
      const { payeeId } = await aQuietPayee(world, actor);
      await setPaid(payeeId);
      await pay(world, actor, { payeeId });
    },
    "every_run",
    "PYMT",
  ],
  [
    "a file with a later payment",
    async (world, actor) => {
      const payee = await aQuietPayee(world, actor);
      await setPaid(payee.payeeId);
      await anUploadedFile(world, actor, [payee.details]);
      await askAll(world);
    },
    "every_run",
    "PYMT",
  ],
];

const TABLE = TRIGGERS.flatMap(([name, act, from, purpose]) =>
  ASK_BANKS.map((policy) => ({
    name,
    act,
    policy,
    purpose,
    asks: ASK_BANKS.indexOf(policy) >= ASK_BANKS.indexOf(from),
  })),
);

test.each(TABLE)("$name, policy $policy: asked $asks", async ({ act, policy, purpose, asks }) => {
  const world = anAskingWorld();
  const actor = await anOffice(world, policy);
  await act(world, actor);
  expect(askedFor(world, actor).map((question) => question.purpose)).toEqual(asks ? [purpose] : []);
  // The bank is not asked a second time.
  await askAll(world);
  expect(askedFor(world, actor)).toHaveLength(asks ? 1 : 0);
});

test("each policy includes those before it", () => {
  expect(ASK_BANKS.map((policy) => isAskedFor(policy, "bulk_check"))).toEqual([true, true, true, true]);
  expect(ASK_BANKS.map((policy) => isAskedFor(policy, "supplier_changed"))).toEqual([false, true, true, true]);
  expect(ASK_BANKS.map((policy) => isAskedFor(policy, "asked_again"))).toEqual([false, true, true, true]);
});

test.each([
  ["a payee's", true],
  ["no payee's", false],
])("a payment to a closed account that is %s is held by the rule, which saw the bank's answer", async (_, isPayees) => {
  const world = anAskingWorld(() => CLOSED);
  const actor = await anOffice(world);
  const to = isPayees ? { payeeId: (await aQuietPayee(world, actor)).payeeId } : details();
  // An earlier approval by a person does not cover the bank's present answer.
  world.clock.advance(MINUTE_MS);
  const recorded = await pay(world, actor, to);
  expect(recorded.decision).toBe("held");
  const reason = recorded.reasons.find(({ rule }) => rule === "bank_answer");
  expect(reason?.evidence).toMatchObject({ outcome: "account_closed" });
  // A verification opens for the payee, so that a person decides.
  const opened = await peek
    .select()
    .from(verifications)
    .where(and(eq(verifications.organizationId, actor.organizationId), eq(verifications.status, "pending")));
  expect(opened.map(({ outcome }) => outcome)).toEqual(isPayees ? ["account_closed"] : []);
});

test("an account of a file that the bank does not know is told in the summary and on its line, and is not cleared", async () => {
  const world = anAskingWorld(({ accountName }) =>
    accountName === "Nobody Known" ? { verdict: "account_not_found", name: null } : MATCH,
  );
  const actor = await anOffice(world);
  const payee = await aQuietPayee(world, actor);
  const stranger = details({ accountName: "Nobody Known" });
  const { fileId } = await anUploadedFile(world, actor, [payee.details, stranger]);
  expect((await readFilePage(world, actor, fileId, {})).banks?.map(({ state, count }) => [state, count])).toEqual([
    ["waiting", 2],
  ]);
  await world.drain();
  const page = await readFilePage(world, actor, fileId, { tab: "all" });
  expect(page.banks?.map(({ state, count }) => [state, count])).toEqual([
    ["against", 1],
    ["confirmed", 1],
  ]);
  const [known, unknown] = page.lines;
  expect(known?.bank).toMatch(/^.+, \d+ \w+ \d{4}$/);
  expect(unknown?.news).toContain("no account with this BSB and account number");
  expect(askedFor(world, actor).map(({ purpose }) => purpose)).toEqual(["PYMT", "PYMT"]);
  // The same accounts in the day's next file are not asked about again.
  await anUploadedFile(world, actor, [payee.details, stranger, details()], "next.aba");
  await world.drain();
  expect(askedFor(world, actor)).toHaveLength(3);
});

test("a double press, two tabs and a retry ask once, and each of them sees the answer", async () => {
  const world = anAskingWorld(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return CLOSED;
  });
  const actor = await anOffice(world);
  const { payeeId } = await aQuietPayee(world, actor);
  world.clock.advance(MINUTE_MS);
  const pressed = await Promise.all(Array.from({ length: 4 }, () => pay(world, actor, { payeeId })));
  expect(askedFor(world, actor)).toHaveLength(1);
  for (const { reasons } of pressed) expect(reasons.map(({ rule }) => rule)).toContain("bank_answer");
});

test("a Worker that dies after the bank was asked asks nobody again: the answer is lost, and is said to be", async () => {
  let isDying = true;
  const world = anAskingWorld(() => {
    if (isDying) throw new Error("the Worker died");
    return MATCH;
  });
  const actor = await anOffice(world);
  const to = details();
  await pay(world, actor, to);
  isDying = false;
  world.clock.advance(MINUTE_MS + 1);
  await askAll(world);
  expect(askedFor(world, actor)).toHaveLength(1);
  const [row] = await peek
    .select()
    .from(accountQuestions)
    .where(eq(accountQuestions.organizationId, actor.organizationId));
  expect(row).toMatchObject({ ended: "answer_lost", outcome: null });
});

test("a payee that is edited while its question is on the way: the answer stays with the details that were asked about", async () => {
  const actors: Actor[] = [];
  const ids: string[] = [];
  const world = anAskingWorld(async () => {
    const [payeeId] = ids;
    const [actor] = actors;
    if (payeeId && actor)
      await editPayee({ ...world, config: { ...world.config, asksBanksAutomatically: false } }, actor, {
        payeeId,
        patch: { accountNumber: "99887755" },
      });
    return CLOSED;
  });
  const actor = await anOffice(world);
  actors.push(actor);
  const payee = await aQuietPayee(world, actor);
  ids.push(payee.payeeId);
  await askBeforePayment(world, actor, aNewPayment({ payeeId: payee.payeeId }));
  expect((await readPayee(payee.payeeId)).accountNumber).toBe("99887755");
  const open = await peek.select().from(verifications).where(eq(verifications.payeeId, payee.payeeId));
  expect(open.find(({ status }) => status === "pending")).toMatchObject({ accountNumber: "99887755", outcome: null });
  const rows = await peek
    .select()
    .from(accountQuestions)
    .where(eq(accountQuestions.organizationId, actor.organizationId));
  expect(rows.map(({ accountNumber, outcome }) => [accountNumber, outcome])).toEqual([
    [payee.details.accountNumber, "account_closed"],
  ]);
});

test("a verification that waits with other details than were asked about takes no answer", async () => {
  const world = anAskingWorld();
  const actor = await anOffice(world, "first_payment");
  const { payeeId, verificationId } = await anAddedPayee(world, actor);
  await peek.update(verifications).set({ accountNumber: "99887755" }).where(eq(verifications.id, verificationId));
  await askBeforePayment(world, actor, aNewPayment({ payeeId }));
  expect(askedFor(world, actor)).toHaveLength(1);
  const [waiting] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
  expect(waiting).toMatchObject({ status: "pending", outcome: null });
  const rows = await peek
    .select()
    .from(accountQuestions)
    .where(eq(accountQuestions.organizationId, actor.organizationId));
  expect(rows.map(({ accountNumber, outcome }) => [accountNumber, outcome])).toEqual([
    [(await readPayee(payeeId)).accountNumber, "match"],
  ]);
});

test("what a bank confirms of another name since takes back nothing, and a person who approves the line can clear the file", async () => {
  const world = anAskingWorld();
  const actor = await anOffice(world, "never");
  const account = details();
  const said = [
    [account.accountName, "no_match", 3],
    ["Somebody Else", "no_match", 2],
    ["The Holder", "match", 1],
  ] as const;
  for (const [accountName, outcome, hours] of said) {
    const at = world.clock.now() - hours * 60 * MINUTE_MS;
    const { organizationId } = actor;
    const { bsb, accountNumber } = account;
    const row = { organizationId, bsb, accountNumber, accountName, wantedAt: at, askedAt: at, endedAt: at };
    await peek.insert(accountQuestions).values({ ...row, ended: "answered", answeredAt: at, outcome });
  }
  const { fileId } = await anUploadedFile(world, actor, [account]);
  const [line] = await linesOf(fileId);
  expect(line?.reasons.map(({ rule }) => rule)).toContain("bank_answer");
  await decideLines(world, actor, { fileId, choice: { lines: [2] }, decision: "approve", reason: "Called them" });
  expect(await clearFile(world, actor, { fileId })).toBeDefined();
});

test("a budget of ten questions: of forty lines ten are asked, to the cent, and the others say why not after a day", async () => {
  const world = anAskingWorld();
  world.config.instantCheckCostCents = 25;
  const actor = await anOffice(world);
  const { organizationId } = actor;
  await peek
    .update(organizationPolicies)
    .set({ bankBudgetCents: 259 })
    .where(eq(organizationPolicies.organizationId, organizationId));
  const { fileId } = await anUploadedFile(
    world,
    actor,
    Array.from({ length: 40 }, () => details()),
  );
  await world.drain();
  await askAll(world);
  expect(askedFor(world, actor)).toHaveLength(10);
  world.clock.advance(DAY_MS + 1);
  await askAll(world);
  expect(askedFor(world, actor)).toHaveLength(10);
  const { banks } = await readFilePage(world, actor, fileId, {});
  expect(banks?.map(({ state, count }) => [state, count])).toEqual([
    ["confirmed", 10],
    ["not_asked", 30],
  ]);
});

test("before an administrator's email address is confirmed a file's page says that the bank has not been asked", async () => {
  const said: unknown[] = [];
  const read = async () => {
    const { lines, banks } = await readFilePage(world, actor, fileId, {});
    said.push([lines[0]?.bank, banks?.[0]?.word]);
  };
  const world = anAskingWorld(async () => {
    await read();
    return MATCH;
  });
  const actor = await anOffice(world, "every_run", "admin");
  const setConfirmed = (emailVerifiedAt: number | null) =>
    peek.update(users).set({ emailVerifiedAt }).where(eq(users.organizationId, actor.organizationId));
  await setConfirmed(null);
  const { fileId } = await anUploadedFile(world, actor, [details()]);
  await askAll(world);
  expect(askedFor(world, actor)).toEqual([]);
  await read();
  await setConfirmed(world.clock.now());
  await askAll(world);
  await read();
  expect(said).toEqual([
    ["The bank has not been asked yet", "The bank has not answered yet"],
    ["The bank is being asked", "The bank has not answered yet"],
    [expect.stringMatching(/^The names match, /), "Confirmed by the bank"],
  ]);
});

test("a hundred questions at once at a service that takes ten a moment: what it refuses waits, nothing is asked twice or passed", async () => {
  let atOnce = 0;
  const world = anAskingWorld(async () => {
    atOnce++;
    if (atOnce > 10) {
      atOnce--;
      throw new UpstreamError("cop", "rate_limited", "too many", {});
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
    atOnce--;
    return MATCH;
  });
  const actor = await anOffice(world);
  const { fileId } = await anUploadedFile(
    world,
    actor,
    Array.from({ length: 100 }, () => details()),
  );
  await Promise.all(Array.from({ length: 25 }, () => askWaiting(world, 100_000)));
  for (let run = 0; run < 10; run++) await askAll(world);
  const { banks } = await readFilePage(world, actor, fileId, {});
  expect(banks?.map(({ state, count }) => [state, count])).toEqual([["confirmed", 100]]);
  const answered = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.action, "organization.bank_asked")));
  expect(answered).toHaveLength(100);
});

test.each([
  [9, "Zepto"],
  [11, "Azupay"],
])(
  "a first service that has failed for %s minutes: %s is asked, and the evidence names it",
  async (minutes, service) => {
    const world = anAskingWorld();
    const second = aService(() => MATCH, "Azupay");
    const both = { ...world, secondBankData: second.provider };
    const actor = await anOffice(world, "never");
    const own = await anAddedPayee(world, actor);
    const now = world.clock.now();
    const row = { lastFailedAt: now - 1, failingSince: now - minutes * MINUTE_MS, lastError: "HTTP 503" };
    await peek
      .insert(providerCalls)
      .values({ party: "cop", ...row })
      .onConflictDoUpdate({ target: providerCalls.party, set: row });
    try {
      await askConfirmationOfPayee(both, actor, own);
      expect([world.asked.length, second.asked.length]).toEqual(service === "Zepto" ? [1, 0] : [0, 1]);
      const [asked] = await peek.select().from(verifications).where(eq(verifications.id, own.verificationId));
      expect(asked?.resultData?.answeredBy).toBe(service);
      const [entry] = await peek
        .select()
        .from(auditLogs)
        .where(
          and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.action, "verification.checked_at_once")),
        );
      expect(entry?.details).toMatchObject({ answeredBy: service });
      // Every few minutes, one question is sent to the first service to see whether it works again.
      await peek
        .update(providerCalls)
        .set({ lastFailedAt: now - 6 * MINUTE_MS })
        .where(eq(providerCalls.party, "cop"));
      await askConfirmationOfPayee(both, actor, await anAddedPayee(world, actor));
      expect(world.asked.length).toBe(service === "Zepto" ? 2 : 1);
    } finally {
      await peek.delete(providerCalls).where(eq(providerCalls.party, "cop"));
    }
  },
);

/** How many rows the database counts as written by this action. */
async function rowsOf(services: { rows: number }, act: () => Promise<unknown>): Promise<number> {
  const before = services.rows;
  await act();
  return services.rows - before;
}

test("a question in the background writes at most 17 rows, also one that moves a verification in the queue", async () => {
  const metered = { rows: 0 };
  const meter = (_: string, { rowsWritten }: { rowsWritten: number }) => {
    metered.rows += rowsWritten;
  };
  const services = Object.assign(testServices({ meter }), { instantBankData: aService(() => MATCH).provider });
  services.config.asksBanksAutomatically = true;
  services.config.instantCheckCostCents = 25;
  const actor = await aMember(services);
  const { organizationId } = actor;
  const count = 4;
  const written: Record<string, number> = {};
  for (let each = 0; each < count; each++) await anAddedPayee(services, actor);
  written.added = (await rowsOf(metered, () => askWaiting(services, 100_000))) / count;
  const accounts = Array.from({ length: count }, () => ({ ...details(), cause: "payment_run" as const }));
  await Promise.all(wantAnswers(services, organizationId, accounts));
  written.unknown = (await rowsOf(metered, () => askWaiting(services, 100_000))) / count;
  const trusted = await Promise.all(
    Array.from({ length: count }, () =>
      aTrustedPayee({ ...services, config: { ...services.config, asksBanksAutomatically: false } }, actor),
    ),
  );
  await Promise.all(
    wantAnswers(
      services,
      organizationId,
      trusted.map((payee) => ({ ...payee.details, cause: "payment_run" as const })),
    ),
  );
  written.trusted = (await rowsOf(metered, () => askWaiting(services, 100_000))) / count;
  expect(written.unknown).toBeGreaterThan(0);
  // Six of the writes are the verification's own row and the indexes of the queue in which it moves.
  expect(Math.max(...Object.values(written))).toBeLessThanOrEqual(17);
});
