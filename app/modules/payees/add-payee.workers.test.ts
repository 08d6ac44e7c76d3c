import { env } from "cloudflare:workers";
import { auditLogs, organizationPolicies, organizations, payees, payeeTerms, verifications } from "@db/database";
import { compose } from "@workers/compose";
import { readEnv } from "@workers/env";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { aMember, anOrganization } from "../../../tests/support/factories";
import { losingConnection } from "../../../tests/support/lost-connections";
import { anAddedPayee, aVoucher, details, interrupted, peek, readPayee, refusal } from "../../../tests/support/payees";
import { testServices } from "../../../tests/support/services";
import { test } from "../../../tests/support/signed-in";
import { addPayee } from "./add-payee.server";
import { startVerification } from "./open-verification.server";

const OLD_KEY = "f1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const NEW_KEY = "f2:Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA";

/** The same services with different fingerprint keys, the first of which is current. */
const withKeys = (keys: string) => {
  const { secrets } = compose(readEnv({ ...(env as unknown as Record<string, unknown>), FINGERPRINT_KEYS: keys }));
  return testServices({ secrets });
};

const payeesOf = (organizationId: string) =>
  peek.select().from(payees).where(eq(payees.organizationId, organizationId));

test("adding stores the payee, opens a pending verification of its details and leaves two audit rows", async ({
  services,
  actor,
}) => {
  const input = details({ bsb: "062000", accountNumber: "00123456" });
  const { payeeId, verificationId } = await addPayee(services, actor, { details: input });
  const { hash, accountFingerprint, ...payee } = await readPayee(payeeId);
  expect(payee).toMatchObject({
    ...input,
    organizationId: actor.organizationId,
    createdById: actor.userId,
    version: 1,
  });
  expect(hash).toMatch(/^f1:[0-9a-f]{64}$/);
  expect(accountFingerprint).toMatch(/^f1:[0-9a-f]{64}$/);
  expect(hash).not.toBe(accountFingerprint);
  const [verification] = await peek.select().from(verifications).where(eq(verifications.payeeId, payeeId));
  expect(verification).toMatchObject({
    id: verificationId,
    status: "pending",
    method: "manual",
    requestedById: actor.userId,
    accountName: input.accountName,
    bsb: input.bsb,
    accountNumber: input.accountNumber,
    evidence: { institution: { mnemonic: "CBA" }, unusualAccountLength: false, lookalikes: [] },
  });
  const audit = await peek.select().from(auditLogs).where(eq(auditLogs.organizationId, actor.organizationId));
  expect(audit.map((row) => [row.action, row.entityId])).toEqual([
    ["payee.added", payeeId],
    ["verification.opened", verificationId],
  ]);
  expect(JSON.stringify(audit)).not.toContain(input.accountNumber);
  const terms = await peek.select().from(payeeTerms).where(eq(payeeTerms.payeeId, payeeId));
  expect(terms.map((row) => row.term)).toEqual(expect.arrayContaining(["wattle", "062000", "123456", "<654321"]));
});

test("an unusual account length is a warning in the evidence", async ({ services, actor }) => {
  const { verificationId } = await anAddedPayee(services, actor, { bsb: "062000", accountNumber: "12345" });
  const [row] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
  expect(row?.evidence?.unusualAccountLength).toBe(true);
});

test("the same account is answered with the payee that has it, with or without leading zeros", async ({
  services,
  actor,
}) => {
  const first = await anAddedPayee(services, actor, { accountNumber: "12345678" });
  for (const accountNumber of ["12345678", "012345678"]) {
    const error = await refusal(addPayee(services, actor, { details: details({ accountNumber, name: "Another" }) }));
    expect(error).toMatchObject({ code: "DUPLICATE_PAYEE", status: 409, extra: { payeeId: first.payeeId } });
  }
  expect(await payeesOf(actor.organizationId)).toHaveLength(1);
});

test("another organisation may have the same account", async () => {
  const services = testServices();
  const [a, b] = [await aMember(services), await aMember(services)];
  const account = details();
  await addPayee(services, a, { details: account });
  await expect(addPayee(services, b, { details: account })).resolves.toBeDefined();
});

test("of two people who add the same account at once exactly one succeeds, the other is told of that payee", async ({
  services,
  actor,
}) => {
  const account = details({ accountNumber: "87654321" });
  const results = await Promise.allSettled([
    addPayee(services, actor, { details: account }),
    addPayee(services, actor, { details: { ...account, accountNumber: "087654321" } }),
    addPayee(services, actor, { details: account }),
  ]);
  const added = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(added).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") {
      expect(result.reason).toMatchObject({ code: "DUPLICATE_PAYEE", extra: { payeeId: added[0]?.payeeId } });
    }
  }
  expect(await payeesOf(actor.organizationId)).toHaveLength(1);
});

test("a payee stored under an older fingerprint key is still found as a duplicate, also when that key is gone", async () => {
  const before = withKeys(OLD_KEY);
  const actor = await aMember(before);
  const account = details({ accountNumber: "7654321" });
  const { payeeId } = await addPayee(before, actor, { details: account });
  for (const keys of [`${NEW_KEY},${OLD_KEY}`, NEW_KEY]) {
    const again = { ...account, accountNumber: "007654321" };
    const error = await refusal(addPayee(withKeys(keys), actor, { details: again }));
    expect(error.extra).toMatchObject({ payeeId });
  }
});

test("vouching finds accounts stored under an older fingerprint key", async () => {
  const account = { bsb: "083004", accountNumber: "512340987", accountName: "Old Key Traders Pty Ltd" };
  await aVoucher(withKeys(OLD_KEY), account);
  const services = withKeys(`${NEW_KEY},${OLD_KEY}`);
  const actor = await aMember(services);
  const { payeeId, verificationId } = await anAddedPayee(services, actor, account);
  const [row] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
  expect(row?.evidence?.vouching).toEqual({ exact: 1, close: 0, different: 0, leftOut: 0 });
  expect((await readPayee(payeeId)).accountFingerprint).toMatch(/^f2:/);
});

test("the same key is answered with the first payee, and another request under it is refused", async ({
  services,
  actor,
}) => {
  const input = { details: details(), idempotencyKey: "form-1" };
  const first = await addPayee(services, actor, input);
  expect(await addPayee(services, actor, input)).toEqual({ ...first, isRepeated: true });
  const other = await refusal(addPayee(services, actor, { ...input, details: details() }));
  expect(other).toMatchObject({ code: "IDEMPOTENCY_CONFLICT", status: 409 });
  expect(await payeesOf(actor.organizationId)).toHaveLength(1);
});

test("a double-clicked form makes one payee, and both answers name it", async ({ services, actor }) => {
  const input = { details: details(), idempotencyKey: "double" };
  const answers = await Promise.all([1, 2, 3].map(() => addPayee(services, actor, input)));
  expect(new Set(answers.map((answer) => answer.payeeId)).size).toBe(1);
  expect(await payeesOf(actor.organizationId)).toHaveLength(1);
});

test("the same key in another organisation is another key", async () => {
  const services = testServices();
  const [a, b] = [await aMember(services), await aMember(services)];
  const input = { details: details(), idempotencyKey: "shared" };
  const [first, second] = [await addPayee(services, a, input), await addPayee(services, b, input)];
  expect(first.payeeId).not.toBe(second.payeeId);
});

test.each(["before", "after"] as const)("a connection lost %s the commit leaves exactly one payee", async (when) => {
  const services = testServices();
  const actor = await aMember(services);
  services.db = losingConnection(services.db, when);
  const { payeeId } = await addPayee(services, actor, { details: details(), idempotencyKey: "lost" });
  const rows = await payeesOf(actor.organizationId);
  expect(rows.map((row) => row.id)).toEqual([payeeId]);
  const opened = await peek.select().from(verifications).where(eq(verifications.payeeId, payeeId));
  expect(opened).toHaveLength(1);
});

test("after trial and subscription nothing is added", async () => {
  const services = testServices();
  const organization = await anOrganization(services, { trialEndsAt: services.clock.now() + DAY_MS });
  const actor = await aMember(services, { organization });
  services.clock.advance(DAY_MS);
  const error = await refusal(addPayee(services, actor, { details: details() }));
  expect(error).toMatchObject({ code: "SUBSCRIPTION_REQUIRED", status: 402 });
  await peek.update(organizations).set({ subscriptionStatus: "active" }).where(eq(organizations.id, organization.id));
  await expect(addPayee(services, actor, { details: details() })).resolves.toBeDefined();
});

test("an organisation that accepts vouching verifies at once what three others trust under the same name", async () => {
  const services = testServices();
  const account = {
    name: "Banksia Freight",
    bsb: "032001",
    accountNumber: "775001",
    accountName: "Banksia Freight Pty Ltd",
  };
  for (let i = 0; i < 3; i++) await aVoucher(services, account);
  const wary = await aMember(services);
  const { verificationId: pendingId } = await anAddedPayee(services, wary, account);
  const [pending] = await peek.select().from(verifications).where(eq(verifications.id, pendingId));
  expect(pending).toMatchObject({ status: "pending", evidence: { vouching: { exact: 3 } } });

  const trusting = await aMember(services);
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: trusting.organizationId, acceptVouching: true, updatedAt: 0 });
  const { payeeId, verificationId } = await anAddedPayee(services, trusting, account);
  const [verified] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
  expect(verified).toMatchObject({ status: "verified", method: "whitelist", reasonCode: "vouched_for" });
  expect(await readPayee(payeeId)).toMatchObject({
    whitelisted: true,
    whitelistedById: null,
    whitelistGlobal: false,
  });
});

test.each(["added", "verified again"])(
  "attack: vouching is switched off in the very moment in which a payee is %s, and nothing is trusted on the word of others",
  async (how) => {
    const services = testServices();
    const account = { name: "Banksia Freight", bsb: "032001", accountName: "Banksia Freight Pty Ltd" };
    const accountNumber = how === "added" ? "775011" : "775012";
    for (let i = 0; i < 3; i++) await aVoucher(services, { ...account, accountNumber });
    const actor = await aMember(services);
    const { organizationId } = actor;
    const before = how === "added" ? undefined : await anAddedPayee(services, actor, { ...account, accountNumber });
    if (before)
      await peek.update(verifications).set({ status: "failed" }).where(eq(verifications.payeeId, before.payeeId));
    await peek.insert(organizationPolicies).values({ organizationId, acceptVouching: true, updatedAt: 0 });
    const switchOff = () =>
      peek
        .update(organizationPolicies)
        .set({ acceptVouching: false, updatedAt: 1 })
        .where(eq(organizationPolicies.organizationId, organizationId));
    const late = { ...services, db: interrupted(services.db, switchOff) };
    const { payeeId, verificationId } = before
      ? { payeeId: before.payeeId, ...(await startVerification(late, actor, before.payeeId)) }
      : await anAddedPayee(late, actor, { ...account, accountNumber });
    const [row] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
    expect(row).toMatchObject({ status: "pending", method: "manual" });
    expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
  },
);

test("vouching does not verify an account that another organisation trusts under a different name", async () => {
  const services = testServices();
  const account = {
    name: "Banksia Freight",
    bsb: "032001",
    accountNumber: "775002",
    accountName: "Banksia Freight Pty Ltd",
  };
  for (let i = 0; i < 3; i++) await aVoucher(services, account);
  await aVoucher(services, { ...account, accountName: "Zephyr Mining NL" }, { outcome: "close_match" });
  const trusting = await aMember(services);
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: trusting.organizationId, acceptVouching: true, updatedAt: 0 });
  const { payeeId, verificationId } = await anAddedPayee(services, trusting, account);
  const [row] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
  expect(row).toMatchObject({ status: "pending", evidence: { vouching: { exact: 3, different: 1 } } });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
});

test("second person: the word of other organisations approves no payee, added or verified again", async () => {
  const services = testServices();
  const account = { name: "Banksia Freight", bsb: "032001", accountNumber: "775004", accountName: "Banksia Freight" };
  for (let i = 0; i < 3; i++) await aVoucher(services, account);
  const strict = await aMember(services);
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: strict.organizationId, acceptVouching: true, secondPersonRequired: true, updatedAt: 0 });
  const { payeeId, verificationId } = await anAddedPayee(services, strict, account);
  const statusOf = async (id: string) =>
    (await peek.select().from(verifications).where(eq(verifications.id, id))).map(({ status }) => status);
  expect(await statusOf(verificationId)).toEqual(["pending"]);
  await peek.update(verifications).set({ status: "failed" }).where(eq(verifications.id, verificationId));
  const again = await startVerification(services, strict, payeeId);
  expect(await statusOf(again.verificationId)).toEqual(["pending"]);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
});

test("attack: an account that others vouch for, added as a payee of another name, is left to a person", async () => {
  const services = testServices();
  const account = { bsb: "032001", accountNumber: "775003", accountName: "B Miller" };
  for (let i = 0; i < 3; i++) await aVoucher(services, { ...account, name: "B Miller" });
  const trusting = await aMember(services);
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: trusting.organizationId, acceptVouching: true, updatedAt: 0 });
  const { payeeId } = await anAddedPayee(services, trusting, { ...account, name: "Borealis Mining" });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
});
