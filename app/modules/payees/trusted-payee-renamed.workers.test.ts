import { auditLogs, organizationPolicies, payees, verifications } from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import type { FormAnswer } from "~/components/forms/form";
import { DAY_MS } from "~/kernel/dates";
import { askPayee } from "~/modules/payees/payee-requests/ask-payee.server";
import { promoteEarnedPayees } from "~/modules/payees/whitelist/promotion.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { currentReasons } from "~/modules/payments/payment";
import { getPayment } from "~/modules/payments/payment.server";
import { listAccountHistories, standingOf } from "~/modules/payments/payment-facts/account-history.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { issueCertificate } from "~/modules/records/certificates/certificate.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import { action as editPage } from "~/routes/_app+/payees.$id_.edit";
import { loader as reviewPage } from "~/routes/_app+/verifications.$id";
import { action as answerPage } from "~/routes/_payee+/details.$token";
import type { Actor } from "~/services-and-actor";
import { connectXero, editInXero, XERO_CONTACTS } from "../../../tests/support/accounting";
import { aMember } from "../../../tests/support/factories";
import { aFinishedImport, aTable, outcomesOf } from "../../../tests/support/imports";
import {
  aColleague,
  alertsAbout,
  interrupted,
  peek,
  promisedMails,
  readPayee,
  refusal,
} from "../../../tests/support/payees";
import { anUploadedFile, linesOf } from "../../../tests/support/payment-files";
import { aPaidPayment, aPayment, aTrustedPayee, readPayment } from "../../../tests/support/payments";
import { routeArgs } from "../../../tests/support/requests";
import { type TestServices, testServices } from "../../../tests/support/services";
import { aWorld } from "../../../tests/support/simulators";
import { type EditExtra, editPayee } from "./edit-payee.server";
import { startVerification } from "./open-verification.server";
import { detailsOf } from "./payee.server";
import { toFormValues } from "./payee-form.server";
import { whitelistByHand } from "./whitelist-by-hand.server";

const { action: patchByApi } = routeOf("/api/payees/{id}");

/** A renamed trusted payee: "Borealis Mining" with the account of a small payee that was verified. */

const SMALL = { name: "B Miller", accountName: "B Miller" };
const RENAMED = { name: "Borealis Mining" };

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { firstName: "Eve" });
  return { services, actor };
}

async function aTrustedSmallPayee() {
  const office = await anOffice();
  const { payeeId, verificationId, details } = await aTrustedPayee(office.services, office.actor, SMALL);
  office.services.clock.advance(DAY_MS);
  return { ...office, payeeId, verificationId, details };
}

const verificationsOf = (payeeId: string) =>
  peek.select().from(verifications).where(eq(verifications.payeeId, payeeId)).orderBy(asc(verifications.id));
const pendingOf = async (payeeId: string) =>
  (await verificationsOf(payeeId)).find(({ status }) => status === "pending")?.id ?? "";

const actionsOf = async (payeeId: string) => {
  const rows = await peek
    .select({ action: auditLogs.action })
    .from(auditLogs)
    .where(and(eq(auditLogs.entityType, "payee"), eq(auditLogs.entityId, payeeId)))
    .orderBy(asc(auditLogs.position));
  return rows.map(({ action }) => action);
};

type Answered = { data: FormAnswer };

async function postEdit(services: TestServices, actor: Actor, payeeId: string, typed: Record<string, string>) {
  const payee = await readPayee(payeeId);
  const form = { ...toFormValues(detailsOf(payee)), version: String(payee.version), ...typed };
  return (await editPage(await routeArgs(services, actor, "/", { id: payeeId }, { form }))) as Answered | Response;
}

const patch = async (services: TestServices, actor: Actor, payeeId: string, json: object) =>
  patchByApi(await routeArgs(services, actor, "/", { id: payeeId }, { method: "PATCH", json }));

test("on the page, what another name ends is said before it is done, and nothing is written until it is confirmed", async () => {
  const { services, actor, payeeId } = await aTrustedSmallPayee();
  await aColleague(services, actor);
  const asked = (await postEdit(services, actor, payeeId, RENAMED)) as Answered;
  const { confirm } = asked.data.extra as EditExtra;
  expect(confirm).toMatchObject({
    of: "name",
    changes: [{ field: "Payee name", from: "B Miller", to: "Borealis Mining" }],
    isWhitelisted: true,
    othersTold: 1,
    payeeTold: { emails: [], mobiles: [] },
    isContactChangedToo: false,
  });
  expect(await readPayee(payeeId)).toMatchObject({ name: "B Miller", whitelisted: true, renamedAt: null });
  expect(await postEdit(services, actor, payeeId, { ...RENAMED, intent: "confirm" })).toBeInstanceOf(Response);
  expect(await readPayee(payeeId)).toMatchObject({ ...RENAMED, whitelisted: false });
});

test.each([
  ["page", (s: TestServices, a: Actor, id: string) => postEdit(s, a, id, { ...RENAMED, intent: "confirm" })],
  ["API", (s: TestServices, a: Actor, id: string) => patch(s, a, id, RENAMED)],
])(
  "by %s, another name ends the trust: verified anew, payments held, colleagues told, all in the trail",
  async (_, rename) => {
    const { services, actor, payeeId, details } = await aTrustedSmallPayee();
    const colleague = await aColleague(services, actor);
    const before = await aPayment(services, colleague, payeeId);
    expect(before.status).toBe("authorised");
    await rename(services, actor, payeeId);
    const now = services.clock.now();
    expect(await readPayee(payeeId)).toMatchObject({
      ...RENAMED,
      accountName: details.accountName,
      accountNumber: details.accountNumber,
      whitelisted: false,
      whitelistedReason: null,
      renamedAt: now,
      bankDetailsChangedAt: null,
    });
    const [approved, opened, ...more] = await verificationsOf(payeeId);
    expect([approved?.status, opened?.status, more]).toEqual(["verified", "pending", []]);
    expect(opened).toMatchObject({ isOfChange: true, accountName: "B Miller", requestedById: actor.userId });
    expect(await readPayment(before.id)).toMatchObject({ status: "held" });
    expect(currentReasons(await getPayment(services, colleague, before.id))[0]?.message).toBe(
      "The name of B Miller was changed after this payment was authorised.",
    );
    const after = await aPayment(services, colleague, payeeId);
    expect(after.status).toBe("held");
    expect(after.reasons.map(({ rule, message }) => [rule, message])).toEqual([
      [
        "details_changed",
        expect.stringMatching(/^Borealis Mining was given this name on .*, and no one has decided about it since\.$/),
      ],
      [
        "payee_not_trusted",
        "Borealis Mining is neither whitelisted nor verified: it was renamed and has not been verified under its new name.",
      ],
    ]);
    const told = (await actionsOf(payeeId)).filter((action) => action !== "payee.details_revealed");
    expect(told.slice(-2)).toEqual(["payee.renamed", "payee.unwhitelisted"]);
    const alerts = await alertsAbout(services, actor.organizationId, "bank_details_changed");
    expect(alerts).toEqual([
      {
        userId: colleague.userId,
        title: "Payee renamed: Borealis Mining",
        body: "Eve Okafor changed the name from B Miller. The bank details are still the same. Payments to this payee are held until it is verified under its new name.",
      },
    ]);
    // The payee's account is the same, so it is not told that its bank details changed.
    const mails = await promisedMails(services, actor.organizationId);
    expect(mails.filter(({ template }) => template !== "alertRaised")).toEqual([]);
  },
);

test("a rule that the organisation has switched off lets no renamed payee pass: what changed is held by itself", async () => {
  const { services, actor, payeeId } = await aTrustedSmallPayee();
  const ruleLevels = { payee_not_trusted: "off" as const };
  await peek.insert(organizationPolicies).values({ organizationId: actor.organizationId, ruleLevels, updatedAt: 1 });
  await editPayee(services, actor, { payeeId, patch: RENAMED });
  const { status, reasons } = await aPayment(services, actor, payeeId);
  expect([status, reasons.map(({ rule }) => rule)]).toEqual(["held", ["details_changed"]]);
});

test.each([["B MILLER"], ["b. miller"], ["Mr B Miller"]])(
  "the same name, spelled %s, keeps the trust and is saved at once",
  async (name) => {
    const { services, actor, payeeId } = await aTrustedSmallPayee();
    expect(await postEdit(services, actor, payeeId, { name })).toBeInstanceOf(Response);
    expect(await readPayee(payeeId)).toMatchObject({ name, whitelisted: true, renamedAt: null });
    expect((await actionsOf(payeeId)).at(-1)).toBe("payee.edited");
    expect((await aPayment(services, actor, payeeId)).status).toBe("authorised");
  },
);

test("by file, a trusted payee's account under another name changes nothing, and the row says what differs", async () => {
  const { services, actor, payeeId, details } = await aTrustedSmallPayee();
  const row = `Borealis Mining,Borealis Mining Pty Ltd,${details.bsb},${details.accountNumber}`;
  const importId = await aFinishedImport(services, actor, aTable(row));
  const [outcome] = await outcomesOf(importId);
  expect(outcome?.slice(0, 2)).toEqual([2, "differs"]);
  expect(outcome?.[2]).toContain("Payee name differs: we have “B Miller”, the file has “Borealis Mining”.");
  expect(await readPayee(payeeId)).toMatchObject({ ...SMALL, whitelisted: true, version: 2 });
});

test("by an accounting system, a supplier that is renamed there changes no payee's name", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  const account = { name: "Kookaburra Couriers", accountName: "Kookaburra Couriers", bsb: "033002" };
  const { payeeId } = await aTrustedPayee(world, admin, { ...account, accountNumber: "445566" });
  await connectXero(world, admin);
  await world.drain();
  world.clock.advance(DAY_MS);
  await editInXero(world, XERO_CONTACTS.kookaburra, { name: "Borealis Mining", user: "Jo Nguyen" });
  await world.drain();
  expect(await readPayee(payeeId)).toMatchObject({ name: "Kookaburra Couriers", whitelisted: true, renamedAt: null });
});

test("by the payee's own form, the account of a trusted payee under another name changes nothing", async () => {
  const world = aWorld();
  const actor = await aMember(world, { role: "admin" });
  const { payeeId, details } = await aTrustedPayee(world, actor, SMALL);
  const to = { name: "Borealis Mining", email: "b.miller@mailbox.example", phone: null, note: null };
  await askPayee(world, actor, { request: to });
  await world.drain();
  const token = /\/details\/([\w-]+)/.exec((await world.mails())[0]?.text ?? "")?.[1] ?? "";
  const { bsb, accountNumber } = details;
  const form = { name: "Borealis Mining", accountName: "Borealis Mining", bsb, accountNumber, abn: "", phone: "" };
  await answerPage(await routeArgs(world, null, `/details/${token}`, { token }, { form }));
  expect(await readPayee(payeeId)).toMatchObject({ ...SMALL, whitelisted: true, renamedAt: null });
  expect(
    await peek.select({ id: payees.id }).from(payees).where(eq(payees.organizationId, actor.organizationId)),
  ).toEqual([{ id: payeeId }]);
});

test("a line of a payment file that was authorised under the former name is held again, and nothing is cleared", async () => {
  const { services, actor, payeeId, details } = await aTrustedSmallPayee();
  const { fileId } = await anUploadedFile(services, actor, [{ ...details, amount: 95_000_00 }]);
  expect((await linesOf(fileId)).map(({ status }) => status)).toEqual(["held"]);
  const small = await anUploadedFile(services, actor, [{ ...details, amount: 100_00 }]);
  expect((await linesOf(small.fileId)).map(({ status }) => status)).toEqual(["authorised"]);
  await editPayee(services, actor, { payeeId, patch: RENAMED });
  expect(await refusal(clearFile(services, actor, { fileId: small.fileId }))).toMatchObject({
    code: "LINES_HELD_AGAIN",
  });
  expect((await linesOf(small.fileId)).map(({ status }) => status)).toEqual(["held"]);
});

test("second person: whoever gave it its name approves neither payee nor payment, however the verification was opened", async () => {
  const { services, actor: adder, payeeId } = await aTrustedSmallPayee();
  const renamer = await aColleague(services, adder, { firstName: "Rae" });
  const colleague = await aColleague(services, adder, { firstName: "Col" });
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: adder.organizationId, secondPersonRequired: true, updatedAt: 1 });
  await editPayee(services, renamer, { payeeId, patch: RENAMED });
  const reject = { approved: false, reason: "Manual rejection" } as const;
  await reviewVerification(services, colleague, { verificationId: await pendingOf(payeeId), review: reject });
  await startVerification(services, colleague, payeeId);
  await editPayee(services, colleague, { payeeId, patch: { name: "BOREALIS MINING" } });
  const verificationId = await pendingOf(payeeId);
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Known to me" } as const;
  const refused = { status: 403, code: "SECOND_PERSON_REQUIRED" };
  expect(await refusal(reviewVerification(services, renamer, { verificationId, review }))).toMatchObject(refused);
  expect(await refusal(whitelistByHand(services, renamer, { payeeId, reason: "Known" }))).toMatchObject(refused);
  const payment = await aPayment(services, colleague, payeeId);
  const approval = { paymentId: payment.id, decision: "approve", reason: "Invoice seen" } as const;
  expect(await refusal(decidePayment(services, renamer, approval))).toMatchObject(refused);
  const third = await aColleague(services, adder, { firstName: "Tia" });
  await reviewVerification(services, third, { verificationId, review });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true });
});

test("rejected under its new name and verified again, it stands first in the queue as a changed account does", async () => {
  const { services, actor, payeeId } = await aTrustedSmallPayee();
  await editPayee(services, actor, { payeeId, patch: RENAMED });
  const reject = { approved: false, reason: "Manual rejection" } as const;
  await reviewVerification(services, actor, { verificationId: await pendingOf(payeeId), review: reject });
  const { verificationId } = await startVerification(services, actor, payeeId);
  const opened = (await verificationsOf(payeeId)).find(({ id }) => id === verificationId);
  expect(opened).toMatchObject({ status: "pending", isOfChange: true });
});

test("a payment to the renamed payee is told of no approval from before the name", async () => {
  const { services, actor, payeeId, details } = await aTrustedSmallPayee();
  await editPayee(services, actor, { payeeId, patch: RENAMED });
  const histories = await listAccountHistories(services, actor.organizationId, [payeeId]);
  const history = histories.get(payeeId);
  expect(history && standingOf(details, history)).toEqual({ state: "none" });
});

test("payments that were made under the former name do not earn the trust back", async () => {
  const { services, actor } = await anOffice();
  const { payeeId } = await aTrustedPayee(services, actor, SMALL);
  for (let paid = 0; paid < 3; paid++) {
    services.clock.advance(DAY_MS);
    await aPaidPayment(services, actor, payeeId);
  }
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: RENAMED });
  services.clock.advance(DAY_MS);
  await promoteEarnedPayees(services);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, paymentCount: 3 });
});

test("a certificate of the verification says the name that was verified, whatever the payee is called since", async () => {
  const { services, actor, payeeId, verificationId } = await aTrustedSmallPayee();
  await editPayee(services, actor, { payeeId, patch: RENAMED });
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { name: "Borealis Mining Group" } });
  const { facts } = await issueCertificate(services, actor, verificationId);
  expect(facts.payee.name).toBe("B Miller");
});

test("the reviewer reads who gave it the name and when, and approving it is a decision about the new name", async () => {
  const { services, actor, payeeId } = await aTrustedSmallPayee();
  await editPayee(services, actor, { payeeId, patch: RENAMED });
  const id = await pendingOf(payeeId);
  const { view } = await reviewPage(await routeArgs(services, actor, "/", { id }));
  expect(view.renaming).toMatchObject({
    of: "name",
    by: "Eve Okafor",
    lines: [{ field: "Payee name", from: "B Miller", to: "Borealis Mining" }],
  });
  expect(view.story).toBeNull();
  expect(view.words.verdict.evidence).toContain("The payee was renamed.");
  const review = { approved: true, addToGlobalWhitelist: false, reason: "The register has both names" } as const;
  await reviewVerification(services, actor, { verificationId: id, review });
  expect((await aPayment(services, actor, payeeId)).status).toBe("authorised");
});

test("a change of the account that somebody hides behind another name is still told beside it", async () => {
  const { services, actor, payeeId } = await aTrustedSmallPayee();
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "99887766" } });
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: RENAMED });
  const { view } = await reviewPage(await routeArgs(services, actor, "/", { id: await pendingOf(payeeId) }));
  expect([view.story?.of, view.renaming?.of]).toEqual(["bank details", "name"]);
  const { reasons } = await aPayment(services, actor, payeeId);
  expect(reasons.find(({ rule }) => rule === "details_changed")?.message).toMatch(
    /^The bank details of Borealis Mining changed on .*\. Borealis Mining was given this name on .*, and no one has decided about them since\. This payment pays the account that Borealis Mining has had since /,
  );
});

test("attack: renamed in the moment in which it is approved, it is not trusted under the new name", async () => {
  const { services, actor } = await anOffice();
  const { payeeId } = await aTrustedPayee(services, actor, SMALL);
  await editPayee(services, actor, { payeeId, patch: { name: "B Millar" } });
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Seen" } as const;
  for (const name of ["Borealis Mining", "BOREALIS MINING"]) {
    const verificationId = await pendingOf(payeeId);
    const late = {
      ...services,
      db: interrupted(services.db, () => editPayee(services, actor, { payeeId, patch: { name } })),
    };
    const error = await refusal(reviewVerification(late, actor, { verificationId, review }));
    expect(error.status).toBe(409);
    expect(await readPayee(payeeId)).toMatchObject({ name, whitelisted: false });
  }
});

test("attack: approved in the moment in which it is renamed, it loses the trust with the name", async () => {
  const { services, actor, payeeId } = await aTrustedSmallPayee();
  await editPayee(services, actor, { payeeId, patch: { name: "B Millar" } });
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Seen" } as const;
  const verificationId = await pendingOf(payeeId);
  const approve = () => reviewVerification(services, actor, { verificationId, review });
  const late = { ...services, db: interrupted(services.db, approve) };
  await editPayee(late, actor, { payeeId, patch: RENAMED });
  expect(await readPayee(payeeId)).toMatchObject({ ...RENAMED, whitelisted: false });
  expect((await verificationsOf(payeeId)).map(({ status }) => status)).toEqual(["verified", "verified", "pending"]);
});

test("attack: a payment recorded in the moment of the renaming is held, before or after it", async () => {
  const { services, actor, payeeId } = await aTrustedSmallPayee();
  const late = {
    ...services,
    db: interrupted(services.db, () => editPayee(services, actor, { payeeId, patch: RENAMED })),
  };
  const recorded = await aPayment(late, actor, payeeId);
  expect((await readPayment(recorded.id)).status).toBe("held");
});

test("attack: the same edit posted twice renames once", async () => {
  const { services, actor, payeeId } = await aTrustedSmallPayee();
  const { version } = await readPayee(payeeId);
  const answers = await Promise.all([1, 2].map(() => patch(services, actor, payeeId, { ...RENAMED, version })));
  expect(answers.map((answer) => (answer as Response).status).sort()).toEqual([200, 409]);
  expect((await actionsOf(payeeId)).filter((action) => action === "payee.renamed")).toHaveLength(1);
  expect((await verificationsOf(payeeId)).filter(({ status }) => status === "pending")).toHaveLength(1);
});
