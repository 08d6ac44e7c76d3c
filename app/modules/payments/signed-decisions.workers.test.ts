import { createHash } from "node:crypto";
import { auditLogs, passkeys, paymentFileClearings, policyChanges, signedApprovals } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DAY_MS } from "~/kernel/dates";
import {
  type Approvable,
  type OfferedApproval,
  offerApproval,
} from "~/modules/accounts/identity/signed-approval.server";
import { changePolicy, findPolicyState } from "~/modules/accounts/organizations/policy.server";
import { cancelChange, confirmChange } from "~/modules/accounts/organizations/policy-changes.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import type { EvidencePack } from "~/modules/records/evidence-pack.server";
import type { Actor } from "~/services-and-actor";
import { mailsTo } from "../../../tests/support/account";
import { anOrganization } from "../../../tests/support/factories";
import { anApprover, decideFor } from "../../../tests/support/passkeys";
import { anAddedPayee, details, peek, refusal } from "../../../tests/support/payees";
import { anUploadedFile, linesOf } from "../../../tests/support/payment-files";
import { aPayment, aTrustedPayee, readPayment } from "../../../tests/support/payments";
import { routeArgs } from "../../../tests/support/requests";
import { type TestServices, testServices } from "../../../tests/support/services";
import type { SoftwareKey, Wrong } from "../../../tests/support/software-authenticator";
import { findFileSettings } from "./approval-limits.server";
import { approvablePayment, decidePayment } from "./decide-payment.server";
import { getPayment } from "./payment.server";
import { clearFile } from "./payment-files/clear-file.server";
import { decideLines } from "./payment-files/decide-lines.server";
import { readFilePage } from "./payment-files/file-page.server";
import { changeLimits } from "./payment-files/settings.server";
import { readPaymentPage } from "./payment-page.server";

const reason = "Called the supplier on a known number";
const ALL = { passkeyForApprovals: true, passkeyAboveCents: 0, passkeyForFiles: true, passkeyForPolicies: true };

/** An organisation that asks for a passkey for every decision, and an approver who has one. */
async function anOffice(policy: Parameters<typeof decideFor>[2] = ALL) {
  const services = testServices();
  const organization = await anOrganization(services);
  const approver = await anApprover(services, organization, "admin");
  await decideFor(services, organization.id, policy);
  return { services, organization, ...approver };
}

async function aHeldPayment(policy?: Parameters<typeof decideFor>[2]) {
  const office = await anOffice(policy);
  const payee = await anAddedPayee(office.services, office.actor);
  const { id: paymentId } = await aPayment(office.services, office.actor, payee.payeeId);
  return { ...office, payee, paymentId };
}

async function approvalOfPage(services: TestServices, actor: Actor, paymentId: string): Promise<OfferedApproval> {
  const { approval } = await readPaymentPage(services, actor, await getPayment(services, actor, paymentId));
  if (!approval) throw new Error("the page asks for no passkey");
  return approval;
}

/** Presses the button, and returns what the form then sends. */
async function press(key: SoftwareKey, { options, sealed }: OfferedApproval, wrong: Wrong = {}) {
  return { shownToPasskey: sealed, passkey: await key.sign(options?.challenge ?? "none", wrong) };
}

const approve = (services: TestServices, actor: Actor, paymentId: string, signed?: object) =>
  decidePayment(services, actor, { paymentId, decision: "approve", reason, signed });

const signedAbout = (organizationId: string) =>
  peek.select().from(signedApprovals).where(eq(signedApprovals.organizationId, organizationId));

const sha256Url = (text: string) => createHash("sha256").update(text).digest("base64url");

test("an approval is signed by the approver's passkey: the challenge is the digest of what the page showed", async () => {
  const { services, actor, key, paymentId, payee } = await aHeldPayment();
  const approval = await approvalOfPage(services, actor, paymentId);
  expect(approval.shows).toEqual([
    { term: "Decision", value: "Approve this payment" },
    { term: "Payee", value: payee.details.name },
    { term: "Account name", value: payee.details.accountName },
    { term: "BSB", value: expect.stringMatching(/^\d{3}-\d{3}$/) },
    { term: "Account number", value: payee.details.accountNumber },
    { term: "Amount", value: "$1,250.00" },
    { term: "Reference", value: expect.any(String) },
  ]);
  await approve(services, actor, paymentId, await press(key, approval));
  expect((await readPayment(paymentId)).status).toBe("authorised");
  const [kept, ...more] = await signedAbout(actor.organizationId);
  expect(more).toEqual([]);
  expect(kept).toMatchObject({ entityType: "payment", entityId: paymentId, userId: actor.userId });
  expect(kept?.challenge).toBe(sha256Url(kept?.text ?? ""));
  expect(JSON.parse(Buffer.from(kept?.clientDataJson ?? "", "base64url").toString()).challenge).toBe(kept?.challenge);
  const [entry] = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, paymentId), eq(auditLogs.action, "approval.signed")));
  expect(entry?.details).toMatchObject({ decision: "approve_payment", challenge: kept?.challenge });
  expect(JSON.stringify(entry?.details)).not.toContain(payee.details.accountNumber);
});

test("without a passkey nothing is decided, and the refusal brings what is to be signed; calls can bring nothing", async () => {
  const { services, actor, paymentId } = await aHeldPayment();
  const onPage = await refusal(approve(services, actor, paymentId, {}));
  expect(onPage).toMatchObject({
    status: 403,
    code: "PASSKEY_REQUIRED",
    extra: { approval: { shows: expect.any(Array) } },
  });
  const byCall = await refusal(approve(services, actor, paymentId));
  expect(byCall).toMatchObject({ status: 403, code: "PASSKEY_REQUIRED", extra: undefined });
  const byToken = await refusal(approve(services, { ...actor, sessionId: "" }, paymentId, {}));
  expect(byToken).toMatchObject({ status: 403, code: "PASSKEY_REQUIRED", extra: undefined });
  expect((await readPayment(paymentId)).status).toBe("held");
  await decidePayment(services, actor, { paymentId, decision: "reject", reason });
  expect((await readPayment(paymentId)).status).toBe("rejected");
});

test("only what is above the amount asks for it, with what else was authorised to the payee today", async () => {
  const { services, actor, key, payee, paymentId } = await aHeldPayment({ ...ALL, passkeyAboveCents: 125_000 });
  const second = await aPayment(services, actor, payee.payeeId);
  await approve(services, actor, paymentId);
  expect(await refusal(approve(services, actor, second.id))).toMatchObject({ code: "PASSKEY_REQUIRED" });
  await approve(services, actor, second.id, await press(key, await approvalOfPage(services, actor, second.id)));
  expect((await readPayment(second.id)).status).toBe("authorised");
});

test("two approvals at one moment do not pass together, without a passkey, what neither may pass alone", async () => {
  const { services, actor, payee, paymentId } = await aHeldPayment({ ...ALL, passkeyAboveCents: 125_000 });
  const second = await aPayment(services, actor, payee.payeeId);
  const both = await Promise.allSettled([paymentId, second.id].map((id) => approve(services, actor, id)));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both).toContainEqual({ status: "rejected", reason: expect.objectContaining({ code: "PASSKEY_REQUIRED" }) });
});

test("lines to one payee count together with what the file pays it already, approved one by one or at one moment", async () => {
  const { services, actor, key } = await anOffice({ ...ALL, passkeyAboveCents: 400_00 });
  const account = details({ accountName: "Imaginary Persons Unlimited" });
  const { fileId } = await anUploadedFile(services, actor, [
    { ...account, amount: 300_00, reference: "INV-1" },
    { ...account, amount: 200_00, reference: "INV-2" },
    { ...account, amount: 150_00, reference: "INV-3" },
    { ...details(), amount: 300_00 },
  ]);
  const decide = (line: number, signed: object = {}) =>
    decideLines(services, actor, { fileId, choice: { lines: [line] }, decision: "approve", reason, signed });
  const both = await Promise.allSettled([2, 3].map((line) => decide(line)));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await decide(5);
  const asked = await refusal(decide(both[0]?.status === "fulfilled" ? 3 : 2));
  expect(asked).toMatchObject({ code: "PASSKEY_REQUIRED" });
  const approval = (await refusal(decide(both[0]?.status === "fulfilled" ? 3 : 2))).extra?.approval;
  await decide(both[0]?.status === "fulfilled" ? 3 : 2, await press(key, approval as OfferedApproval));
  expect(await refusal(decide(4))).toMatchObject({ code: "PASSKEY_REQUIRED" });
});

test("what was changed meanwhile is refused with what changed", async () => {
  const { services, actor, key, paymentId, payee } = await aHeldPayment();
  const signed = await press(key, await approvalOfPage(services, actor, paymentId));
  await editPayee(services, actor, { payeeId: payee.payeeId, patch: { name: "Acme Timber Pty Ltd" } });
  const refused = await refusal(approve(services, actor, paymentId, signed));
  expect(refused).toMatchObject({ status: 409, code: "APPROVAL_CHANGED" });
  expect(refused.extra?.changed).toEqual([expect.stringMatching(/^Payee was .* and is Acme Timber Pty Ltd$/)]);
  expect((await readPayment(paymentId)).status).toBe("held");
});

test("an attacker's answers approve nothing, count towards the lock and leave a trace", async () => {
  const { services, organization, actor, key, paymentId, payee } = await aHeldPayment();
  const other = await anApprover(services, organization);
  const elsewhere = await aPayment(services, actor, payee.payeeId);
  const approval = await approvalOfPage(services, actor, paymentId);
  const ofOther = await approvalOfPage(services, other.actor, paymentId);
  const ofElsewhere = await approvalOfPage(services, actor, elsewhere.id);
  const anotherSession = await offerApproval(
    services,
    { ...actor, sessionId: "stolen" },
    approvablePayment(await getPayment(services, actor, paymentId)),
  );
  const attempts: [string, object][] = [
    ["another person's key", await press(other.key, approval)],
    ["another person's page", await press(other.key, ofOther)],
    ["a page of another payment", await press(key, ofElsewhere)],
    ["a challenge of another payment", { ...(await press(key, ofElsewhere)), shownToPasskey: approval.sealed }],
    ["another address", await press(key, approval, { origin: "https://payeepr00f.example" })],
    ["a sign-in's challenge", await press(key, approval, { challenge: "A".repeat(43) })],
    ["a device that verified nobody", await press(key, approval, { verified: false })],
    ["garbage", { shownToPasskey: approval.sealed, passkey: "{}" }],
  ];
  for (const [what, signed] of attempts) {
    expect(await refusal(approve(services, actor, paymentId, signed)), what).toMatchObject({
      status: 403,
      code: "INVALID_PASSKEY",
    });
  }
  const old = await refusal(approve(services, actor, paymentId, await press(key, anotherSession)));
  expect(old).toMatchObject({ status: 409, code: "APPROVAL_CHANGED" });
  expect((await readPayment(paymentId)).status).toBe("held");
  expect(await signedAbout(organization.id)).toEqual([]);
  const traces = await peek
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organization.id), eq(auditLogs.action, "approval.refused")));
  expect(traces).toHaveLength(attempts.length);
  await refusal(approve(services, actor, paymentId, await press(key, ofElsewhere)));
  await refusal(approve(services, actor, paymentId, await press(key, ofElsewhere)));
  const locked = await refusal(approve(services, actor, paymentId, await press(key, approval)));
  expect(locked).toMatchObject({ status: 429, code: "SIGN_IN_LOCKED" });
});

test("an answer approves once, and not after an hour", async () => {
  const { services, actor, key, paymentId } = await aHeldPayment();
  const approval = await approvalOfPage(services, actor, paymentId);
  const signed = await press(key, approval);
  const both = await Promise.allSettled([1, 2].map(() => approve(services, actor, paymentId, signed)));
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await signedAbout(actor.organizationId)).toHaveLength(1);

  const late = await aHeldPayment();
  const old = await press(late.key, await approvalOfPage(late.services, late.actor, late.paymentId));
  late.services.clock.advance(DAY_MS / 24);
  expect(await refusal(approve(late.services, late.actor, late.paymentId, old))).toMatchObject({
    status: 409,
    code: "APPROVAL_CHANGED",
  });
});

test("a counter that went back is refused, and the person is told of a copy", async () => {
  const { services, actor, key, paymentId } = await aHeldPayment();
  await services.db.update(passkeys).set({ counter: 9 }).where(eq(passkeys.userId, actor.userId));
  const signed = await press(key, await approvalOfPage(services, actor, paymentId), { counter: 5 });
  expect(await refusal(approve(services, actor, paymentId, signed))).toMatchObject({ code: "INVALID_PASSKEY" });
  expect((await mailsTo(services, actor.email)).filter((template) => template === "passkeyChanged")).toHaveLength(2);
});

test("a file is cleared with one signature over its bytes and its payments; what changed since is refused", async () => {
  const { services, actor, key } = await anOffice();
  const trusted = await aTrustedPayee(services, actor);
  const { fileId } = await anUploadedFile(services, actor, [
    { ...trusted.details, amount: 100_00 },
    { ...details({ accountName: "Imaginary Persons Unlimited" }), amount: 300_00 },
  ]);
  expect(await refusal(clearFile(services, actor, { fileId }))).toMatchObject({ code: "PASSKEY_REQUIRED" });
  const shown = async () => {
    const { approval } = await readFilePage(services, actor, fileId, {});
    if (!approval) throw new Error("the page asks for no passkey");
    return approval;
  };
  const early = await press(key, await shown());
  const lines = { fileId, choice: { lines: [3] }, decision: "approve", reason } as const;
  const asked = await refusal(decideLines(services, actor, { ...lines, signed: {} }));
  const approval = asked.extra?.approval as OfferedApproval;
  expect(approval.shows).toContainEqual({ term: "Line 3", value: expect.stringContaining("$300.00 to ") });
  await decideLines(services, actor, { ...lines, signed: await press(key, approval) });
  const refused = await refusal(clearFile(services, actor, { fileId, signed: early }));
  expect(refused).toMatchObject({ status: 409, code: "APPROVAL_CHANGED" });
  expect(refused.extra?.changed).toEqual(
    expect.arrayContaining(["Payments was 1 and is 2", "Total was $100.00 and is $400.00"]),
  );
  await clearFile(services, actor, { fileId, signed: await press(key, await shown()) });
  expect(await peek.select().from(paymentFileClearings).where(eq(paymentFileClearings.fileId, fileId))).toHaveLength(1);
  expect((await signedAbout(actor.organizationId)).map(({ entityType }) => entityType)).toEqual([
    "payment_file",
    "payment_file",
  ]);
});

test("policies are changed with a signature over each change, and a weaker one is confirmed with another", async () => {
  const { services, organization, actor, key } = await anOffice();
  const state = await findPolicyState(services, organization.id);
  const change = {
    version: state.version,
    policy: { ...state.policy, acceptVouching: true, secondPersonRequired: true },
  };
  const asked = await refusal(changePolicy(services, actor, { ...change, signed: {} }));
  const approval = asked.extra?.approval as OfferedApproval;
  expect(approval.shows.map(({ value }) => value)).toEqual([
    "Change these policies",
    'the policy "a second person approves" from off to on',
    'the policy "the word of other organisations counts as verification" from off to on',
  ]);
  const signed = await press(key, approval);
  const other = { ...change, policy: { ...change.policy, passkeyForFiles: false } };
  expect(await refusal(changePolicy(services, actor, { ...other, signed }))).toMatchObject({
    code: "APPROVAL_CHANGED",
  });
  await changePolicy(services, actor, { ...change, signed });
  expect((await findPolicyState(services, organization.id)).policy.secondPersonRequired).toBe(true);

  services.clock.advance(2 * DAY_MS);
  const colleague = await anApprover(services, organization, "admin");
  services.clock.advance(2 * DAY_MS);
  const later = await findPolicyState(services, organization.id);
  const weaker = { version: later.version, policy: { ...later.policy, autoApproveExact: true } };
  const weakening = (await refusal(changePolicy(services, actor, { ...weaker, signed: {} }))).extra?.approval;
  await changePolicy(services, actor, { ...weaker, signed: await press(key, weakening as OfferedApproval) });
  const [waiting] = await peek.select().from(policyChanges).where(eq(policyChanges.field, "autoApproveExact"));
  const confirming = { id: waiting?.id ?? "", policy: later.policy };
  const toSign = (await refusal(confirmChange(services, colleague.actor, { ...confirming, signed: {} }))).extra
    ?.approval;
  await confirmChange(services, colleague.actor, {
    ...confirming,
    signed: await press(colleague.key, toSign as OfferedApproval),
  });
  expect((await findPolicyState(services, organization.id)).policy.autoApproveExact).toBe(true);
  expect(await refusal(cancelChange(services, colleague.actor, confirming.id))).toMatchObject({
    code: "POLICY_CHANGED",
  });
});

test("approval limits and working hours are changed with a signature over each of them, where roles are signed", async () => {
  const { services, organization, actor, key } = await anOffice({ passkeyForPeople: true, weakeningDelayHours: 24 });
  const limits = { memberLimitCents: 500_00, adminLimitCents: 10_000_00, workingHours: null };
  const set = (given: typeof limits, signed: object) => changeLimits(services, actor, given, signed);
  const memberLimit = async () => (await findFileSettings(services, organization.id)).memberLimitCents;
  const before = await memberLimit();
  const { extra, ...refused } = await refusal(set(limits, {}));
  expect(refused).toMatchObject({ status: 403, code: "PASSKEY_REQUIRED" });
  const approval = extra?.approval as OfferedApproval;
  expect(approval.shows.map(({ value }) => value).join("; ")).toMatch(/\$500\.00.*\$10,000\.00/);
  const signed = await press(key, approval);
  expect(await refusal(set({ ...limits, memberLimitCents: 900_00 }, signed))).toMatchObject({
    code: "APPROVAL_CHANGED",
  });
  expect(await memberLimit()).toBe(before);
  await set(limits, signed);
  expect(await memberLimit()).toBe(500_00);
  // A raised limit is delayed, and the request for it is signed.
  const higher = { ...limits, memberLimitCents: 600_00 };
  expect(await refusal(set(higher, {}))).toMatchObject({ code: "PASSKEY_REQUIRED" });
  // Nothing changes, so there is nothing to sign.
  await set(limits, {});
  const [kept] = await signedAbout(organization.id);
  expect(JSON.parse(kept?.text ?? "{}")).toMatchObject({ decision: "change_limits", userId: actor.userId });
});

test("a payment's evidence holds what was signed of it, and of the file that it was a line of", async () => {
  const { services, actor, key, paymentId } = await aHeldPayment();
  await approve(services, actor, paymentId, await press(key, await approvalOfPage(services, actor, paymentId)));
  const read = async (id: string) => {
    const route = routeOf("/api/payments/{id}/evidence");
    const response = await route.loader(await routeArgs(services, actor, "/api/evidence", { id }));
    return (await response.json()) as EvidencePack;
  };
  const pack = await read(paymentId);
  const paper = routeOf("/api/payments/{id}/evidence.pdf");
  const printed = await paper.loader(await routeArgs(services, actor, "/api/evidence", { id: paymentId }));
  expect([printed.status, printed.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  expect(pack.approvals).toMatchObject([{ userId: actor.userId, text: expect.stringContaining("$1,250.00") }]);
  expect(pack.entries.map(({ entry }) => entry.action)).toContain("approval.signed");

  const trusted = await aTrustedPayee(services, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight" });
  const { fileId } = await anUploadedFile(services, actor, [{ ...trusted.details, amount: 100_00 }]);
  const { approval } = await readFilePage(services, actor, fileId, {});
  if (!approval) throw new Error("the page asks for no passkey");
  await clearFile(services, actor, { fileId, signed: await press(key, approval) });
  const [line] = await linesOf(fileId);
  const ofFile = await read(line?.paymentId ?? "");
  const text = JSON.parse(ofFile.approvals[0]?.text ?? "{}") as { shows: Approvable["shows"] };
  expect(text.shows).toContainEqual({ term: "Line 2", value: expect.stringContaining("$100.00 to Kestrel Freight") });
  expect(ofFile.entries.map(({ entry }) => entry.action)).toContain("payment_file.cleared");
});

test("a signed approval is neither changed nor deleted", async () => {
  const { services, actor, key, paymentId } = await aHeldPayment();
  await approve(services, actor, paymentId, await press(key, await approvalOfPage(services, actor, paymentId)));
  await expect(
    peek.update(signedApprovals).set({ text: "{}" }).where(eq(signedApprovals.entityId, paymentId)),
  ).rejects.toThrow();
  await expect(peek.delete(signedApprovals).where(eq(signedApprovals.entityId, paymentId))).rejects.toThrow();
  expect(await signedAbout(actor.organizationId)).toHaveLength(1);
});
