import {
  bsbDirectory,
  organizationPolicies,
  organizations,
  organizationUsers,
  payees,
  verifications,
} from "@db/database";
import { eq, like } from "drizzle-orm";
import { expect } from "vitest";
import type { PayeeDetails } from "~/kernel/payee";
import { findPendingVerification } from "~/modules/payees/payee.server";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, aVoucher, details, peek, readPayee } from "../../../../tests/support/payees";
import { testServices } from "../../../../tests/support/services";
import { test } from "../../../../tests/support/signed-in";
import { editPayee } from "../edit-payee.server";
import { gatherEvidence } from "./evidence.server";

const gather = (organizationId: string, given: PayeeDetails, payeeId: string | null = null) =>
  gatherEvidence(testServices(), { organizationId, payeeId, details: given });

let accounts = 31_000_000;
const anAccount = () => ({ bsb: "083170", accountNumber: String(accounts++), accountName: "Kookaburra Signs Pty Ltd" });

test("organisations that trust an account after their bank check are counted by name, never named", async () => {
  const services = testServices();
  const account = anAccount();
  await aVoucher(services, account);
  await aVoucher(services, { ...account, accountNumber: `0${account.accountNumber}` });
  await aVoucher(services, { ...account, accountName: "Kookaburra Signs" });
  await aVoucher(services, { ...account, accountName: "Zephyr Mining NL" }, { outcome: "close_match" });
  const me = await aMember(services);
  const evidence = await gather(me.organizationId, details(account));
  expect(evidence.vouching).toEqual({ exact: 2, close: 1, different: 1, leftOut: 0 });
  expect(JSON.stringify(evidence)).not.toContain("Elsewhere");
});

test.each([
  ["has no confirmed domain", { domain: false }],
  ["keeps its trust to itself", { global: false }],
  ["approved without an answer of the bank", { outcome: "unable" }],
  ["never paid an invoice", { paid: false }],
  ["is younger than 60 days", { ageInDays: 59 }],
] as const)("an organisation that %s does not count", async (_, how) => {
  const services = testServices();
  const account = anAccount();
  await aVoucher(services, account, how);
  const me = await aMember(services);
  expect((await gather(me.organizationId, details(account))).vouching.exact).toBe(0);
});

test("an organisation whose trial or subscription has ended, or that is closed, does not count", async () => {
  const services = testServices();
  const account = anAccount();
  const [lapsed, closed] = [await aVoucher(services, account), await aVoucher(services, account)];
  await peek
    .update(organizations)
    .set({ subscriptionStatus: "canceled", trialEndsAt: 0 })
    .where(eq(organizations.id, lapsed.organizationId));
  await peek.update(organizations).set({ active: false }).where(eq(organizations.id, closed.organizationId));
  const me = await aMember(services);
  expect((await gather(me.organizationId, details(account))).vouching.exact).toBe(0);
});

test("trust in details that were changed since does not count", async () => {
  const services = testServices();
  const account = anAccount();
  const other = await aVoucher(services, account);
  await peek
    .update(payees)
    .set({ accountName: "Somebody Else" })
    .where(eq(payees.organizationId, other.organizationId));
  const me = await aMember(services);
  expect((await gather(me.organizationId, details(account))).vouching).toEqual({
    exact: 0,
    close: 0,
    different: 0,
    leftOut: 1,
  });
});

test("an organisation does not vouch for itself", async () => {
  const services = testServices();
  const account = anAccount();
  const voucher = await aVoucher(services, account);
  expect((await gather(voucher.organizationId, details(account))).vouching.exact).toBe(0);
});

test("attack: a ring of trial organisations at one domain does not vouch for a mule's account", async () => {
  const services = testServices();
  const account = anAccount();
  const mule = { domain: "mules.example", paid: false, ageInDays: 3, vouchedDaysAgo: 1 };
  for (let i = 0; i < 3; i++) await aVoucher(services, account, mule);
  const victim = await aMember(services);
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: victim.organizationId, acceptVouching: true, updatedAt: 0 });
  const { payeeId, verificationId } = await anAddedPayee(services, victim, account);
  const [row] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
  expect(row).toMatchObject({ status: "pending", evidence: { vouching: { exact: 0, leftOut: 3 } } });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
});

test("attack: organisations that paid and waited, with one person in common, count as one", async () => {
  const services = testServices();
  const account = anAccount();
  const [first, second] = [await aVoucher(services, account), await aVoucher(services, account)];
  await peek.insert(organizationUsers).values({
    id: services.ids.next(),
    organizationId: second.organizationId,
    userId: first.userId,
    status: "inactive",
    createdAt: 0,
    updatedAt: 0,
  });
  const me = await aMember(services);
  expect((await gather(me.organizationId, details(account))).vouching).toMatchObject({ exact: 1, leftOut: 1 });
});

test("own payees with the same or a similar name, a slip in the number or a look-alike domain are found", async ({
  services,
  actor: me,
}) => {
  const account = {
    bsb: "083170",
    accountNumber: "44556677",
    accountName: "Tallow Wood Floors Pty Ltd",
    name: "Tallow",
  };
  const same = await anAddedPayee(services, me, { ...account, bsb: "033001", email: null });
  const similar = await anAddedPayee(services, me, { accountName: "Tallow Wood Floors", name: "TWF", email: null });
  const slip = await anAddedPayee(services, me, { ...account, accountNumber: "44556676", email: null });
  const domain = await anAddedPayee(services, me, {
    accountName: "Zephyr Mining NL",
    name: "Zephyr",
    email: "a@tallowfloors.com.au",
  });
  await anAddedPayee(services, me, { accountName: "Gibson Optics", name: "Gibson Optics", email: null });
  const evidence = await gather(me.organizationId, details({ ...account, email: "a@tall0wfloors.com.au" }));
  expect(evidence.lookalikes.map(({ payeeId, reason }) => [payeeId, reason])).toEqual([
    [slip.payeeId, "account_number_slip"],
    [domain.payeeId, "email_domain"],
    [same.payeeId, "same_name"],
    [similar.payeeId, "similar_name"],
  ]);
});

test("a payee is not its own look-alike, nor another organisation's", async () => {
  const services = testServices();
  const [me, other] = [await aMember(services), await aMember(services)];
  const given = details({ accountName: "Quandong Catering", name: "Quandong Catering" });
  const mine = await anAddedPayee(services, me, given);
  await anAddedPayee(services, other, { ...given, accountNumber: "98989898" });
  expect((await gather(me.organizationId, given, mine.payeeId)).lookalikes).toEqual([]);
});

test("an email that moved to a domain like the former one is seen, until an approval accepts it", async ({
  services,
  actor: me,
}) => {
  const mine = await anAddedPayee(services, me, { email: "ap@jarrahlandscapes.example" });
  const changed = await readPayee(mine.payeeId);
  await editPayee(services, me, { payeeId: mine.payeeId, patch: { email: "ap@jarrah1andscapes.example" } });
  // The pending verification shows it, and so does the next payment.
  const waiting = await peek.select().from(verifications).where(eq(verifications.id, mine.verificationId));
  expect(waiting[0]?.evidence?.lookalikes).toMatchObject([{ payeeId: mine.payeeId, reason: "former_email_domain" }]);
  const now = details({ ...changed, email: "ap@jarrah1andscapes.example" });
  const ofNow = () => gather(me.organizationId, now, mine.payeeId);
  expect((await ofNow()).lookalikes[0]?.detail).toBe(
    "The payee's email address moved from jarrahlandscapes.example to jarrah1andscapes.example, which is easily mistaken for it.",
  );
  const decided = { status: "verified", completedAt: services.clock.now() } as const;
  await peek.update(verifications).set(decided).where(eq(verifications.id, mine.verificationId));
  expect((await ofNow()).lookalikes).toEqual([]);
});

test("whose account it was is part of the evidence, and the payee's own former account is told apart", async ({
  services,
  actor: me,
}) => {
  const cassowary = await anAddedPayee(services, me, { name: "Cassowary Cleaning" });
  const { bsb, accountNumber } = cassowary.details;
  services.clock.advance(1_000);
  await editPayee(services, me, {
    payeeId: cassowary.payeeId,
    patch: { accountNumber: details().accountNumber },
  });
  const until = new Date(services.clock.now()).toISOString();
  const other = await anAddedPayee(services, me, { bsb, accountNumber: `0${accountNumber}`, name: "Bowerbird" });
  const evidenceOf = async (verificationId: string) => {
    const [row] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
    return row?.evidence;
  };
  expect(await evidenceOf(other.verificationId)).toMatchObject({
    formerHolders: [{ payeeId: cassowary.payeeId, name: "Cassowary Cleaning", until, isArchived: false }],
  });
  expect(await evidenceOf(other.verificationId)).not.toHaveProperty("ownUntil");

  // The other payee gives the account up and the first one goes back to it: now the other payee is a former holder too.
  services.clock.advance(1_000);
  await editPayee(services, me, { payeeId: other.payeeId, patch: { accountNumber: details().accountNumber } });
  await editPayee(services, me, { payeeId: cassowary.payeeId, patch: { accountNumber } });
  const reopened = await findPendingVerification(services, me, cassowary.payeeId);
  expect(await evidenceOf(reopened ?? "")).toMatchObject({
    ownUntil: until,
    formerHolders: [{ payeeId: other.payeeId, name: "Bowerbird" }],
  });
});

test("an account that others vouch for is not trusted by a rule where it was another payee's here", async () => {
  const services = testServices();
  const account = anAccount();
  for (let i = 0; i < 3; i++) await aVoucher(services, account);
  const me = await aMember(services);
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: me.organizationId, acceptVouching: true, updatedAt: 0 });
  const first = await anAddedPayee(services, me, { ...account, name: "Kookaburra Signs" });
  expect(await readPayee(first.payeeId)).toMatchObject({ whitelisted: true });
  await editPayee(services, me, { payeeId: first.payeeId, patch: { accountNumber: details().accountNumber } });
  const second = await anAddedPayee(services, me, { ...account, name: "Kookaburra Signs" });
  expect(await readPayee(second.payeeId)).toMatchObject({ whitelisted: false });
});

test("a loaded directory gives the branch and says when a BSB cannot be paid", async ({ actor: me }) => {
  const row = { mnemonic: "NAB", name: "Hobart", paper: true, highValue: true, loadedAt: 0 };
  await peek.insert(bsbDirectory).values([
    { ...row, bsb: "087001", electronic: true, status: "open" },
    { ...row, bsb: "087002", electronic: true, status: "merged", successorBsb: "087001" },
  ]);
  try {
    const of = async (bsb: string) => (await gather(me.organizationId, details({ bsb }))).institution;
    expect(await of("087001")).toMatchObject({ mnemonic: "NAB", branch: "Hobart" });
    expect((await of("087002"))?.problem).toContain("087-001");
    expect((await of("087003"))?.problem).toContain("does not have this BSB");
  } finally {
    await peek.delete(bsbDirectory).where(like(bsbDirectory.bsb, "08700%"));
  }
});
