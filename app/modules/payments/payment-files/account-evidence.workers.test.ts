import { auditLogs } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { archivePayee } from "~/modules/payees/archive-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { startVerification } from "~/modules/payees/open-verification.server";
import { findPendingVerification } from "~/modules/payees/payee.server";
import { disputePayeeDetails } from "~/modules/payees/payee-links/payee-link.server";
import { replayFile } from "~/modules/payments/replay.server";
import { askConfirmationOfPayee } from "~/modules/verifying/bank-checks/instant-check.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { recordCall } from "~/modules/verifying/call-backs/call-back.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { InstantAnswer } from "~/ports/instant-bank-data";
import type { Actor } from "~/services-and-actor";
import { linkInMail, PAYEE_ORIGIN } from "../../../../tests/support/bank-checks";
import { aMember, anOrganization } from "../../../../tests/support/factories";
import { aColleague, anAddedPayee, details, peek, refusal } from "../../../../tests/support/payees";
import { anUploadedFile, linesOf } from "../../../../tests/support/payment-files";
import { aTrustedPayee } from "../../../../tests/support/payments";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { clearFile } from "./clear-file.server";
import { decideLines } from "./decide-lines.server";
import { readFilePage } from "./file-page.server";

/**
 * What is known about the account that a line pays: what a bank answered, which payee had it before, and who verified
 * it.
 */

async function anOffice() {
  const world = aWorld();
  const organization = await anOrganization(world, { trialEndsAt: world.clock.now() + 500 * DAY_MS });
  const actor = await aMember(world, { organization });
  return { world, actor };
}

/** Starts a bank check that gives this answer at once. */
async function ask(world: World, actor: Actor, verificationId: string, answer: InstantAnswer) {
  const instantBankData = { party: "cop", service: "Zepto", lookUp: async () => answer };
  await askConfirmationOfPayee({ ...world, instantBankData }, actor, { verificationId });
}

const pendingOf = async (world: World, actor: Actor, payeeId: string) =>
  (await findPendingVerification(world, actor, payeeId)) ?? "";

async function approve(world: World, actor: Actor, payeeId: string) {
  const verificationId = await pendingOf(world, actor, payeeId);
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Known from the contract" } as const;
  await reviewVerification(world, actor, { verificationId, review });
}

const decide = (
  world: World,
  actor: Actor,
  fileId: string,
  choice: Parameters<typeof decideLines>[2]["choice"],
  decision: "approve" | "reject" = "approve",
) => decideLines(world, actor, { fileId, choice, decision, reason: "Called the number in the contract" });

const found = async (fileId: string) =>
  (await linesOf(fileId)).map(({ status, reasons }) => [status, ...reasons.map(({ rule }) => rule)]);

const messageOf = async (fileId: string, rule: string, at = 0) =>
  (await linesOf(fileId))[at]?.reasons.find((reason) => reason.rule === rule)?.message;

const NO_MATCH: InstantAnswer = { verdict: "no_match", name: "J R PELLEW" };

test.each<[InstantAnswer, string]>([
  [NO_MATCH, "The bank holds this account under a different name. The bank has the account as “J R PELLEW”."],
  [
    { verdict: "no_match", name: null },
    "The account exists, but not under the name you were given. The bank did not send the name that it holds: banks do not send the names of private people.",
  ],
  [{ verdict: "account_closed", name: null }, "The bank says that this account is closed."],
  [{ verdict: "account_not_found", name: null }, "The bank has no account with this BSB and account number."],
])(
  "a line says what the bank answered about its account, and bulk decisions leave it: $verdict",
  async (answer, said) => {
    const { world, actor } = await anOffice();
    const asked = await anAddedPayee(world, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight" });
    const other = await anAddedPayee(world, actor, { name: "Emu Plains Towing", accountName: "Emu Plains Towing" });
    await ask(world, actor, asked.verificationId, answer);
    const { fileId } = await anUploadedFile(world, actor, [asked.details, other.details]);
    expect(await found(fileId)).toEqual([
      ["held", "bank_answer", "payee_not_trusted"],
      ["held", "payee_not_trusted"],
    ]);
    expect(await messageOf(fileId, "bank_answer")).toBe(
      `On 20 Nov 2026 the bank was asked about this account under the name “Kestrel Freight”. ${said}`,
    );
    for (const decision of ["approve", "reject"] as const) {
      const refused = await refusal(decide(world, actor, fileId, { rule: "bank_answer" }, decision));
      const isChosen = decision === "reject";
      expect(refused).toMatchObject({ status: 409, code: isChosen ? "DECIDE_ONE_BY_ONE" : "NOTHING_HELD" });
    }
    const together = await decide(world, actor, fileId, { lines: [2, 3] });
    expect(together.lines).toEqual([3]);
    expect(together.left).toEqual([
      {
        line: 2,
        message: expect.stringMatching(
          /^Lines like this are decided one at a time, each with its own reason\. On 20 Nov 2026 the bank/,
        ),
      },
    ]);
    expect((await found(fileId)).map(([status]) => status)).toEqual(["held", "authorised"]);
    const all = await refusal(decide(world, actor, fileId, { payeeId: asked.payeeId }, "reject"));
    expect(all).toMatchObject({ code: "DECIDE_ONE_BY_ONE", extra: { lines: [{ line: 2 }] } });
    expect(await decide(world, actor, fileId, { lines: [2] })).toEqual({ lines: [2], left: [] });
    expect(await clearFile(world, actor, { fileId })).toMatchObject({ lines: 2 });
  },
);

test("an answer counts for the account, whichever payee it was asked for, however the number is written", async () => {
  const { world, actor } = await anOffice();
  const first = await anAddedPayee(world, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight" });
  await ask(world, actor, first.verificationId, { verdict: "account_closed", name: null });
  const { bsb, accountNumber } = first.details;
  await editPayee(world, actor, { payeeId: first.payeeId, patch: { accountNumber: details().accountNumber } });
  const now = await anAddedPayee(world, actor, { bsb, accountNumber, name: "Rosella", accountName: "Rosella" });
  const stranger = details({ accountName: "Imaginary Persons Unlimited" });
  const { fileId } = await anUploadedFile(world, actor, [
    { ...now.details, accountNumber: `0${accountNumber}` },
    stranger,
  ]);
  expect(await found(fileId)).toEqual([
    ["held", "bank_answer", "former_account", "payee_not_trusted"],
    ["held", "payee_not_trusted"],
  ]);
  expect(await messageOf(fileId, "bank_answer")).toContain("under the name “Kestrel Freight”. The bank says that");
  const { accountName } = stranger;
  const elsewhere = await aMember(world);
  const theirs = await anUploadedFile(world, elsewhere, [{ bsb, accountNumber, accountName }]);
  expect(await found(theirs.fileId)).toEqual([["held", "payee_not_trusted"]]);
});

test("a whitelisted payee is held when a bank says later that its account is closed, until a person approves it again", async () => {
  const { world, actor } = await anOffice();
  const { payeeId, details: payee } = await aTrustedPayee(world, actor);
  const paid = await anUploadedFile(world, actor, [payee]);
  expect(await found(paid.fileId)).toEqual([["authorised"]]);
  world.clock.advance(DAY_MS);
  const { verificationId } = await startVerification(world, actor, payeeId);
  await ask(world, actor, verificationId, { verdict: "account_closed", name: null });
  const { fileId } = await anUploadedFile(world, actor, [payee]);
  expect(await found(fileId)).toEqual([["held", "bank_answer"]]);
  expect(await refusal(clearFile(world, actor, { fileId: paid.fileId }))).toMatchObject({ code: "LINES_HELD_AGAIN" });
  world.clock.advance(DAY_MS);
  await startVerification(world, actor, payeeId);
  await approve(world, actor, payeeId);
  expect(await found((await anUploadedFile(world, actor, [payee])).fileId)).toEqual([["authorised"]]);
});

test("a name that the bank does not confirm, approved by a person who knew it, is not asked again", async () => {
  const { world, actor } = await anOffice();
  const { payeeId, verificationId, details: payee } = await anAddedPayee(world, actor);
  await ask(world, actor, verificationId, NO_MATCH);
  await approve(world, actor, payeeId);
  expect(await found((await anUploadedFile(world, actor, [payee])).fileId)).toEqual([["authorised"]]);
});

test("an answer of after the check is on the page, and an approval that did not know it is not made", async () => {
  const { world, actor } = await anOffice();
  const payee = await anAddedPayee(world, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight" });
  const other = await anAddedPayee(world, actor, { name: "Emu Plains Towing", accountName: "Emu Plains Towing" });
  const { fileId } = await anUploadedFile(world, actor, [payee.details, other.details]);
  await ask(world, actor, payee.verificationId, NO_MATCH);
  const page = await readFilePage(world, actor, fileId, {});
  expect(page.lines.map(({ isDecidedIndividually }) => isDecidedIndividually)).toEqual([true, false]);
  expect(page.lines[0]?.news).toContain("The bank holds this account under a different name.");
  const together = await decide(world, actor, fileId, { lines: [2, 3] });
  expect(together).toMatchObject({
    lines: [3],
    left: [
      { line: 2, message: expect.stringMatching(/^This became known after the file was checked, .* “J R PELLEW”\.$/) },
    ],
  });
  expect((await found(fileId))[0]).toEqual(["held", "bank_answer", "payee_not_trusted"]);
  const entries = await peek
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, fileId), eq(auditLogs.action, "payment_file.lines_judged_again")));
  expect(entries).toMatchObject([{ details: { count: 1, lines: [{ line: 2 }] } }]);
  const after = await readFilePage(world, actor, fileId, {});
  expect(after.lines[0]).toMatchObject({ isDecidedIndividually: true, news: null });
  expect(await decide(world, actor, fileId, { lines: [2] })).toEqual({ lines: [2], left: [] });
  expect(await clearFile(world, actor, { fileId })).toMatchObject({ lines: 2 });
  const owner = { organizationId: actor.organizationId, fileId };
  expect(await replayFile(world, owner)).toEqual({
    lines: 2,
    different: [],
    differentCount: 0,
    unreadableCount: 0,
    changedRules: [],
  });
});

test("the only line meant is one that something is known of since: it is refused once, with what is known", async () => {
  const { world, actor } = await anOffice();
  const payee = await anAddedPayee(world, actor);
  const { fileId } = await anUploadedFile(world, actor, [payee.details]);
  await ask(world, actor, payee.verificationId, NO_MATCH);
  const input = {
    ...{ fileId, choice: { lines: [2] }, decision: "approve" as const, reason: "Called them" },
    idempotencyKey: "press-1",
  };
  const first = await refusal(decideLines(world, actor, input));
  expect(first).toMatchObject({ code: "DECIDE_ONE_BY_ONE", status: 409, extra: { lines: [{ line: 2 }] } });
  const repeated = await refusal(decideLines(world, actor, input));
  expect(repeated.message).toBe(first.message);
  expect(await decideLines(world, actor, { ...input, idempotencyKey: "press-2" })).toEqual({ lines: [2], left: [] });
});

test("disputed details are decided one by one", async () => {
  const { world, actor } = await anOffice();
  const payee = await anAddedPayee(world, actor);
  await startBankDataCheck(world, actor, { verificationId: payee.verificationId });
  await world.drain();
  await disputePayeeDetails(world, PAYEE_ORIGIN, { ...(await linkInMail(world)), note: null });
  const { fileId } = await anUploadedFile(world, actor, [payee.details, payee.details]);
  expect((await found(fileId))[0]).toEqual(["held", "payee_disputed", "payee_not_trusted"]);
  const refused = await refusal(decide(world, actor, fileId, { payeeId: payee.payeeId }));
  expect(refused).toMatchObject({ code: "DECIDE_ONE_BY_ONE", extra: { lines: [{ line: 2 }, { line: 3 }] } });
  expect(refused.message).toMatch(/^Lines 2 and 3 were not decided\. Lines like this are decided one at a time/);
  expect(await decide(world, actor, fileId, { lines: [3] }, "reject")).toEqual({ lines: [3], left: [] });
});

test("changed details that nobody verified are decided one by one, never by reason or by payee", async () => {
  const { world, actor } = await anOffice();
  const changed = await aTrustedPayee(world, actor, { name: "Cassowary Cleaning", accountName: "Cassowary Cleaning" });
  const other = await anAddedPayee(world, actor, { name: "Emu Plains Towing", accountName: "Emu Plains Towing" });
  world.clock.advance(3 * DAY_MS);
  const { accountNumber } = details();
  await editPayee(world, actor, { payeeId: changed.payeeId, patch: { accountNumber } });
  const line = { ...changed.details, accountNumber };
  const { fileId } = await anUploadedFile(world, actor, [line, { ...line, amount: 123_00 }, other.details]);
  expect((await found(fileId))[0]).toContain("details_changed");
  for (const decision of ["approve", "reject"] as const) {
    const byPayee = await refusal(decide(world, actor, fileId, { payeeId: changed.payeeId }, decision));
    expect(byPayee).toMatchObject({ code: "DECIDE_ONE_BY_ONE", extra: { lines: [{ line: 2 }, { line: 3 }] } });
  }
  const byReason = await refusal(decide(world, actor, fileId, { rule: "details_changed" }, "reject"));
  expect(byReason).toMatchObject({ code: "DECIDE_ONE_BY_ONE", extra: { lines: [{ line: 2 }, { line: 3 }] } });
  expect((await decide(world, actor, fileId, { lines: [2, 3, 4] })).lines).toEqual([4]);
  expect(await decide(world, actor, fileId, { lines: [2] })).toEqual({ lines: [2], left: [] });
  expect((await found(fileId)).map(([status]) => status)).toEqual(["authorised", "held", "authorised"]);
});

test("another payee's former account, and an archived payee's, are held, and each asks for a decision of its own", async () => {
  const { world, actor } = await anOffice();
  const former = await aTrustedPayee(world, actor, { name: "Cassowary Cleaning", accountName: "Cassowary Cleaning" });
  const archived = await aTrustedPayee(world, actor, { name: "Galah Glazing", accountName: "Galah Glazing" });
  world.clock.advance(3 * DAY_MS);
  await editPayee(world, actor, { payeeId: former.payeeId, patch: { accountNumber: details().accountNumber } });
  await archivePayee(world, actor, archived.payeeId);
  const lines = [{ ...former.details, accountName: "Rosella Facilities" }, archived.details];
  const { fileId } = await anUploadedFile(world, actor, lines);
  expect(await found(fileId)).toEqual([
    ["held", "former_account", "payee_not_trusted"],
    ["held", "former_account", "payee_not_trusted"],
  ]);
  expect(await messageOf(fileId, "former_account")).toMatch(
    /^This account was Cassowary Cleaning's until 23 Nov 2026\. This line pays it under a different name, “Rosella Facilities”\./,
  );
  expect(await messageOf(fileId, "former_account", 1)).toMatch(
    /^This account belongs to Galah Glazing, a payee that was archived on 23 Nov 2026\./,
  );
  for (const decision of ["approve", "reject"] as const) {
    const refused = await refusal(decide(world, actor, fileId, { lines: [2, 3] }, decision));
    expect(refused).toMatchObject({ code: "DECIDE_ONE_BY_ONE", extra: { lines: [{ line: 2 }, { line: 3 }] } });
  }
  expect(await decide(world, actor, fileId, { lines: [3] })).toEqual({ lines: [3], left: [] });
});

test("the line to the former account and the line to the new one each say which of both somebody verified", async () => {
  const { world, actor } = await anOffice();
  const PHONE = "+61293744000";
  const given = { name: "Cassowary Cleaning", accountName: "Cassowary Cleaning", phone: PHONE };
  const { payeeId, verificationId, details: before } = await anAddedPayee(world, actor, given);
  await ask(world, actor, verificationId, { verdict: "match", name: "CASSOWARY CLEANING" });
  await approve(world, actor, payeeId);
  world.clock.advance(40 * DAY_MS);
  const accountNumber = details().accountNumber;
  await editPayee(world, actor, { payeeId, patch: { accountNumber } });
  const now = { ...before, accountNumber };
  const [old, masked] = [before, now].map((each) => `062-000 •••••${each.accountNumber.slice(-3)}`);
  const file = await anUploadedFile(world, actor, [before, now]);
  expect(await found(file.fileId)).toEqual([
    ["held", "former_account", "payee_not_trusted"],
    ["held", "details_changed", "payee_not_trusted"],
  ]);
  expect(await messageOf(file.fileId, "former_account")).toBe(
    `This line pays Cassowary Cleaning's former, verified account (confirmed by the bank, by Confirmation of Payee, on 20 Nov 2026). On 30 Dec 2026 it was changed to ${masked}, which nobody has verified. Call Cassowary Cleaning on a number you knew before the change.`,
  );
  expect(await messageOf(file.fileId, "details_changed", 1)).toMatch(
    new RegExp(
      `This line pays the account that Cassowary Cleaning has had since 30 Dec 2026, which nobody has verified\\. Before, it was ${old}, verified on 20 Nov 2026 \\(confirmed by the bank, by Confirmation of Payee\\)\\.$`,
    ),
  );
  const call = { number: PHONE, source: "on_file", spokeTo: "Ana Silva", outcome: "confirmed" } as const;
  world.clock.advance(DAY_MS);
  // The person who changed the account cannot also vouch for it.
  const caller = await aColleague(world, actor);
  await recordCall(world, caller, { verificationId: await pendingOf(world, actor, payeeId), call });
  await approve(world, actor, payeeId);
  const next = await anUploadedFile(world, actor, [before, now], "next.aba");
  expect(await found(next.fileId)).toEqual([
    ["held", "former_account", "payee_not_trusted"],
    ["authorised", "account_changed"],
  ]);
  expect(await messageOf(next.fileId, "former_account")).toContain(
    `it was changed to ${masked}, verified on 31 Dec 2026 (called back`,
  );
  expect(await messageOf(next.fileId, "account_changed", 1)).toMatch(
    /has had since 30 Dec 2026, verified on 31 Dec 2026 \(called back/,
  );
});

test("nobody is said to be known with an account that nobody verified", async () => {
  const { world, actor } = await anOffice();
  const added = await anAddedPayee(world, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight" });
  const stranger = details({ accountName: "Kestrel Freight" });
  const { fileId } = await anUploadedFile(world, actor, [stranger]);
  expect(await found(fileId)).toEqual([["held", "payee_not_trusted", "known_name_new_account"]]);
  expect(await messageOf(fileId, "known_name_new_account")).toMatch(
    /^Kestrel Freight is one of your payees with a different account, 062-000 •••••\d{3}, which nobody has verified\./,
  );
  await approve(world, actor, added.payeeId);
  const { fileId: later } = await anUploadedFile(world, actor, [{ ...stranger, accountNumber: "87651234" }]);
  expect(await messageOf(later, "known_name_new_account")).toMatch(
    /^You know Kestrel Freight with a different account, 062-000 •••••\d{3}, verified on 20 Nov 2026 \(approved by a person, no bank was asked\)\./,
  );
  const page = await readFilePage(world, actor, later, { line: 2 });
  expect(page.single).toMatchObject({ line: { line: 2, isDecidedIndividually: true } });
  expect(page.reasons).toMatchObject([
    { rule: "known_name_new_account", count: 1, togetherCount: 0, onlyCount: 0 },
    { rule: "payee_not_trusted", count: 1, togetherCount: 0, onlyCount: 0 },
  ]);
});
