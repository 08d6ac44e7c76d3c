import { auditLogs, outbox, payeeChanges, payees, payeeTerms, paymentRecords, verifications } from "@db/database";
import { asc, eq } from "drizzle-orm";
import { expect } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { findReviewFlags, flagFactsOf } from "~/modules/payees/verifications/review-flags";
import { shownStatus } from "~/modules/payees/verifications/verification";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { raiseAllAlerts } from "../../../tests/support/alerts";
import { aTickingClock } from "../../../tests/support/clock";
import { aMember, anOrganization } from "../../../tests/support/factories";
import { losingConnection } from "../../../tests/support/lost-connections";
import {
  aColleague,
  anAddedPayee,
  details,
  interrupted,
  noticesOf,
  peek,
  promisedMails,
  readPayee,
  refusal,
} from "../../../tests/support/payees";
import { testServices } from "../../../tests/support/services";
import { test } from "../../../tests/support/signed-in";
import { addPayee } from "./add-payee.server";
import { editPayee } from "./edit-payee.server";

const changesOf = (payeeId: string) =>
  peek.select().from(payeeChanges).where(eq(payeeChanges.payeeId, payeeId)).orderBy(asc(payeeChanges.id));
const verificationsOf = (payeeId: string) =>
  peek.select().from(verifications).where(eq(verifications.payeeId, payeeId)).orderBy(asc(verifications.id));
const auditOf = (organizationId: string) =>
  peek.select().from(auditLogs).where(eq(auditLogs.organizationId, organizationId)).orderBy(asc(auditLogs.position));
const trust = (payeeId: string) =>
  peek.update(payees).set({ whitelisted: true, whitelistGlobal: true }).where(eq(payees.id, payeeId));

test("a change of bank details takes all trust away and starts again", async ({ services, actor }) => {
  const { payeeId, verificationId, details: before } = await anAddedPayee(services, actor);
  await trust(payeeId);
  const old = await readPayee(payeeId);
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { bsb: "033001", accountNumber: "98765432" } });

  const now = services.clock.now();
  const payee = await readPayee(payeeId);
  expect(payee).toMatchObject({
    bsb: "033001",
    accountNumber: "98765432",
    whitelisted: false,
    whitelistGlobal: false,
    whitelistedReason: null,
    bankDetailsChangedAt: now,
    bankDetailsChangedById: actor.userId,
    contactChangedAt: null,
    version: 2,
  });
  expect(payee.hash).not.toBe(old.hash);
  expect(payee.accountFingerprint).not.toBe(old.accountFingerprint);
  expect((await changesOf(payeeId)).map(({ field, oldValue, newValue }) => [field, oldValue, newValue])).toEqual([
    ["bsb", before.bsb, "033001"],
    ["accountNumber", before.accountNumber, "98765432"],
  ]);
  const [superseded, opened, ...rest] = await verificationsOf(payeeId);
  expect(superseded).toMatchObject({ id: verificationId, status: "failed", reasonCode: "details_edited" });
  expect(opened).toMatchObject({ status: "pending", bsb: "033001", accountNumber: "98765432", method: "manual" });
  expect(rest).toEqual([]);
  const terms = (await peek.select().from(payeeTerms).where(eq(payeeTerms.payeeId, payeeId))).map((row) => row.term);
  expect(terms).toEqual(expect.arrayContaining(["033001", "98765432", "wattle"]));
  expect(terms).not.toContain(before.accountNumber);
});

test("while time passes, a change is told on the page of its verification, and the one before it reads as closed", async () => {
  const services = testServices({ clock: aTickingClock() });
  const actor = await aMember(services);
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  await editPayee(services, actor, { payeeId, patch: { bsb: "033001", accountNumber: "98765432" } });
  const [earlier, opened] = await verificationsOf(payeeId);
  if (!opened) throw new Error("No verification was opened");
  const shown = await getVerification(services, actor, opened.id);
  expect(findReviewFlags(flagFactsOf(shown))).toContain("changed_details");
  expect(earlier?.id).toBe(verificationId);
  expect(earlier && shownStatus(earlier)).toBe("closed");
});

test("the audit trail tells the whole story, with account numbers masked", async ({ services, actor }) => {
  const { payeeId, details: before } = await anAddedPayee(services, actor);
  await trust(payeeId);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "98765432", name: "Wattle Creek" } });
  const audit = await auditOf(actor.organizationId);
  expect(audit.map((row) => row.action)).toEqual([
    "payee.added",
    "verification.opened",
    "payee.bank_details_changed",
    "payee.renamed",
    "payee.unwhitelisted",
    "verification.superseded",
    "verification.opened",
  ]);
  const text = JSON.stringify(audit);
  expect(text).not.toContain(before.accountNumber);
  expect(text).not.toContain("98765432");
  expect(text).toContain("•••••432");
});

test("every other member who can act is told by an alert, and the payee at the address it had before", async () => {
  const services = testServices();
  const editor = await aMember(services, { firstName: "Eve" });
  const [admin, member] = [await aColleague(services, editor, { role: "admin" }), await aColleague(services, editor)];
  await aColleague(services, editor, { role: "read_only" });
  await aColleague(services, editor, { status: "inactive" });
  const { payeeId } = await anAddedPayee(services, editor, { email: "old@wattlecreek.example" });
  await editPayee(services, editor, {
    payeeId,
    patch: { accountNumber: "98765432", email: "new@wattlecreek.example" },
  });
  const toPayee = await noticesOf(editor.organizationId);
  expect(toPayee).toMatchObject([{ to: "old@wattlecreek.example", subject: "bank_details", status: "waiting" }]);
  const jobs = await peek.select().from(outbox).where(eq(outbox.organizationId, editor.organizationId));
  expect(services.sent.map((hint) => hint.jobId)).toEqual(jobs.map((job) => job.id));
  await raiseAllAlerts(services);
  const sent = (await promisedMails(services, editor.organizationId)).map(({ to, template }) => [to, template]);
  expect(sent.sort()).toEqual(
    [
      [admin.email, "alertRaised"],
      [member.email, "alertRaised"],
    ].sort(),
  );
  expect(JSON.stringify(await promisedMails(services, editor.organizationId))).not.toContain("98765432");
});

test("changing only the account name is a change of bank details; only its spelling of blanks is none", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const decision = await editPayee(services, actor, { payeeId, patch: { accountName: "W C Electrical" } });
  expect(decision).toMatchObject({ bankDetailsChanged: true, accountChanged: false });
  expect((await verificationsOf(payeeId)).map((row) => row.status)).toEqual(["failed", "pending"]);
});

test("other fields leave trust and verification alone, and a new email or phone is remembered", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await trust(payeeId);
  await editPayee(services, actor, { payeeId, patch: { name: "WATTLE CREEK ELECTRICAL", address: "1 King St" } });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true, contactChangedAt: null, version: 2 });
  await editPayee(services, actor, { payeeId, patch: { phone: "+61412345678" } });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true, contactChangedAt: services.clock.now() });
  expect((await verificationsOf(payeeId)).map((row) => row.status)).toEqual(["pending"]);
  expect(await noticesOf(actor.organizationId)).toEqual([]);
  expect((await changesOf(payeeId)).map((row) => row.field)).toEqual(["name", "address", "phone"]);
});

test("an edit that changes nothing writes nothing", async ({ services, actor }) => {
  const { payeeId, details: same } = await anAddedPayee(services, actor);
  const before = (await auditOf(actor.organizationId)).length;
  expect((await editPayee(services, actor, { payeeId, patch: same, version: 1 })).changes).toEqual([]);
  expect(await readPayee(payeeId)).toMatchObject({ version: 1 });
  expect(await auditOf(actor.organizationId)).toHaveLength(before);
});

test("of two edits made from the same version exactly one is written, the other is told", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const edit = (accountNumber: string) => editPayee(services, actor, { payeeId, patch: { accountNumber }, version: 1 });
  const results = await Promise.allSettled([edit("11112222"), edit("33334444")]);
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused).toHaveLength(1);
  expect(refused[0]?.reason).toMatchObject({ code: "EDIT_CONFLICT", status: 409 });
  expect(await changesOf(payeeId)).toHaveLength(1);
  expect((await verificationsOf(payeeId)).filter((row) => row.status === "pending")).toHaveLength(1);
  expect((await readPayee(payeeId)).version).toBe(2);
});

test("an edit made from an older version is refused before anything is looked at", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await editPayee(services, actor, { payeeId, patch: { name: "First" }, version: 1 });
  const error = await refusal(editPayee(services, actor, { payeeId, patch: { name: "Second" }, version: 1 }));
  expect(error).toMatchObject({ code: "EDIT_CONFLICT", status: 409 });
  expect((await readPayee(payeeId)).name).toBe("First");
});

test("two edits of different fields at once that name no version are both kept", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await Promise.all([
    editPayee(services, actor, { payeeId, patch: { name: "New name" } }),
    editPayee(services, actor, { payeeId, patch: { accountNumber: "55556666" } }),
  ]);
  expect(await readPayee(payeeId)).toMatchObject({ name: "New name", accountNumber: "55556666", version: 3 });
});

test("an edit cannot take over the account of another payee, however its number is written", async ({
  services,
  actor,
}) => {
  const other = await anAddedPayee(services, actor, { accountNumber: "4455667" });
  const { payeeId } = await anAddedPayee(services, actor);
  const error = await refusal(editPayee(services, actor, { payeeId, patch: { accountNumber: "004455667" } }));
  expect(error).toMatchObject({ code: "DUPLICATE_PAYEE", extra: { payeeId: other.payeeId } });
  expect(await readPayee(payeeId)).toMatchObject({ version: 1 });
});

test("two payees edited to one account at once: one gets it", async ({ services, actor }) => {
  const [a, b] = [await anAddedPayee(services, actor), await anAddedPayee(services, actor)];
  const patch = { accountNumber: "90909090" };
  const results = await Promise.allSettled([a, b].map(({ payeeId }) => editPayee(services, actor, { payeeId, patch })));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  const refused = results.find((result) => result.status === "rejected");
  expect(refused?.reason).toMatchObject({ code: "DUPLICATE_PAYEE" });
});

test("a payee may be written with other leading zeros: the same account, still a change to verify", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor, { accountNumber: "7788990" });
  const decision = await editPayee(services, actor, { payeeId, patch: { accountNumber: "007788990" } });
  expect(decision).toMatchObject({ bankDetailsChanged: true, accountChanged: false });
  expect(await readPayee(payeeId)).toMatchObject({ accountNumber: "007788990", version: 2 });
});

test.each(["before", "after"] as const)("a connection lost %s the commit edits exactly once", async (when) => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor);
  services.db = losingConnection(services.db, when);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "13571357" }, version: 1 });
  expect(await changesOf(payeeId)).toHaveLength(1);
  expect(await readPayee(payeeId)).toMatchObject({ accountNumber: "13571357", version: 2 });
  expect((await verificationsOf(payeeId)).map((row) => row.status)).toEqual(["failed", "pending"]);
});

test("a verification decided between the look and the write is left decided, and a new one opens", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  const decide = () =>
    peek.update(verifications).set({ status: "rejected" }).where(eq(verifications.id, verificationId));
  const late = { ...services, db: interrupted(services.db, decide) };
  await editPayee(late, actor, { payeeId, patch: { accountNumber: "97539753" }, version: 1 });
  expect((await verificationsOf(payeeId)).map((row) => row.status)).toEqual(["rejected", "pending"]);
  expect(await changesOf(payeeId)).toHaveLength(1);
});

test("editing works after trial and subscription have ended", async () => {
  const services = testServices();
  const organization = await anOrganization(services, { trialEndsAt: services.clock.now() + DAY_MS });
  const actor = await aMember(services, { organization });
  const { payeeId } = await anAddedPayee(services, actor);
  services.clock.advance(2 * DAY_MS);
  expect((await refusal(addPayee(services, actor, { details: details() }))).status).toBe(402);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "24682468" } });
  expect((await verificationsOf(payeeId)).map((row) => row.status)).toEqual(["failed", "pending"]);
});

test("a payment that waited for the superseded verification is held again", async ({ services, actor }) => {
  const { payeeId, verificationId, details: account } = await anAddedPayee(services, actor);
  const id = services.ids.next();
  await peek.insert(paymentRecords).values({
    id,
    organizationId: actor.organizationId,
    payeeId,
    verificationId,
    amount: 100,
    status: "verification_requested",
    accountName: account.accountName,
    bsb: account.bsb,
    accountNumber: account.accountNumber,
    reasons: [],
    createdAt: 0,
    updatedAt: 0,
  });
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "86428642" } });
  const [payment] = await peek.select().from(paymentRecords).where(eq(paymentRecords.id, id));
  expect(payment?.status).toBe("held");
});

test("another organisation's payee is as missing as one that never was", async () => {
  const services = testServices();
  const [owner, stranger] = [await aMember(services), await aMember(services)];
  const { payeeId } = await anAddedPayee(services, owner);
  const patch = { name: "Taken over" };
  const foreign = await refusal(editPayee(services, stranger, { payeeId, patch }));
  const missing = await refusal(editPayee(services, stranger, { payeeId: services.ids.next(), patch }));
  expect([foreign.code, foreign.status, foreign.message]).toEqual([missing.code, missing.status, missing.message]);
  expect(foreign.status).toBe(404);
});
