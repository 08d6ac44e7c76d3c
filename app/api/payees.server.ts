import * as z from "zod";
import { institutionOf, maskAccountNumber } from "~/kernel/bank-account";
import { registeredAtOf } from "~/kernel/domain-name";
import { type PayeeStatus, payeeStatus as statusOf } from "~/kernel/payee";
import { WAY_KINDS } from "~/kernel/ways-to-pay";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { domainConcerns, isOfOtherAbn, registrantOf } from "~/modules/directories/email-domain";
import { listNoticesOfPayee } from "~/modules/messages/notifications/change-notices.statements.server";
import { toContactsTold } from "~/modules/messages/notifications/notice-rules";
import { addPayee } from "~/modules/payees/add-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { startVerification } from "~/modules/payees/open-verification.server";
import { getPayee, getPayeeWithLatest } from "~/modules/payees/payee.server";
import {
  newPayeeSchema,
  payeePatchSchema,
  wayToForgetSchema,
  whitelistSchema,
} from "~/modules/payees/payee-fields.server";
import { PAYEE_FILTERS } from "~/modules/payees/payee-list";
import { listPayees, readPayeesQuery } from "~/modules/payees/payee-list.server";
import { listChanges } from "~/modules/payees/payee-page.server";
import { gradeOfListed } from "~/modules/payees/payee-standing";
import type { Grade } from "~/modules/payees/verifications/outcomes";
import { findPayeeDomain } from "~/modules/payees/verifications/payee-domains.server";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { TRUST_NOTICES, unwhitelistByHand, whitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { forgetWay, listKnownWays } from "~/modules/payments/invoices/known-ways.server";
import { askNow, askNowAbout } from "~/modules/verifying/bank-checks/ask-automatically.server";
import type { Actor, Services } from "~/services-and-actor";
import {
  accountName,
  accountNumber,
  bsb,
  choice,
  contactsTold,
  count,
  cursor,
  EXAMPLE,
  endpoint,
  flag,
  grade,
  id,
  idOf,
  instant,
  maskedAccountNumber,
  NAMES,
  nextCursor,
  nothing,
  text,
  word,
} from "./endpoint.server";
import { evidenceCalls } from "./evidence.server";
import { evidence, openVerdict, shownVerdict, shownVerification, verification } from "./verification-shapes.server";

const STATUSES = [
  "whitelisted",
  "verified",
  "pending",
  "changed",
  "disputed",
  "rejected",
  "failed",
  "taken_off",
] as const satisfies readonly PayeeStatus[];

export const payeeStatus = z.enum(STATUSES).meta({ description: "How far the payee is trusted now." });

const payee = z
  .object({
    id: id(EXAMPLE.payee),
    name: text("Wattle Creek Electrical"),
    accountName,
    bsb,
    accountNumber,
    institution: text("Commonwealth Bank of Australia").nullable(),
    abn: text("51824753556").nullable(),
    email: text("accounts@wattlecreek.example").nullable(),
    phone: text("+61293744000", "E.164.").nullable(),
    address: text("12 Creek Road, Newtown NSW 2042").nullable(),
    status: payeeStatus,
    grade,
    paymentCount: count(3, "Successful payments."),
    lastPaymentDate: instant.nullable(),
    whitelisted: flag(true),
    whitelistedAt: instant.nullable(),
    whitelistedById: id(EXAMPLE.person).nullable(),
    whitelistedReason: text("Called the number in the contract").nullable(),
    whitelistGlobal: flag(false, "Other organisations may learn that this one trusts the account."),
    version: count(1, "Rises with every edit. Send it with an edit to be told if another edit came first."),
    bankDetailsChangedAt: instant.nullable(),
    renamedAt: instant
      .nullable()
      .meta({ description: "When it was last renamed. A new name ends trust, as new bank details do." }),
    contactChangedAt: instant.nullable(),
    disputedAt: instant.nullable(),
    draftSince: instant
      .nullable()
      .meta({ description: "When the payee sent its own details. Null once a person has accepted them." }),
    createdAt: instant,
    updatedAt: instant,
  })
  .register(NAMES, { id: "Payee" });

const listedPayee = z
  .object({ ...payee.shape, accountNumber: maskedAccountNumber })
  .register(NAMES, { id: "ListedPayee" });

/** When a party answered. */
const lookedUpAt = instant.nullable().meta({
  description:
    "When it was looked up. Null: not yet, or lookups are not set up here. Null says nothing about the domain.",
});

const emailDomain = z
  .object({
    domain: text("wattlecreek.example"),
    isFreeMail: flag(
      false,
      "Whether a provider gives addresses at this domain to anyone. Nothing is looked up about such a domain.",
    ),
    firstSeenAt: instant.nullable().meta({ description: "When your organisation first had a payee with the domain." }),
    lookalikeOf: text(
      "wattlecreek.example",
      "Your own domain, or another payee's, that it is easily mistaken for.",
    ).nullable(),
    registration: z.object({
      state: z.enum(["registered", "not_registered", "no_registry"]).nullable().meta({
        description:
          "What the registry says. no_registry: no registry publishes registrations under this ending. Null: not known.",
      }),
      registeredAt: instant
        .nullable()
        .meta({ description: "Null: not known, as for .au, whose registry does not publish it." }),
      registrant: z
        .object({ name: text("Wattle Creek Electrical Pty Ltd").nullable(), number: text("51824753556") })
        .nullable()
        .meta({
          description: "Who holds the domain, by ABN or ACN. Null: not known; only the .au registry publishes it.",
        }),
      lookedUpAt,
    }),
    dmarc: z.object({
      state: z.enum(["policy", "none", "several", "malformed"]).nullable().meta({
        description: "several and malformed count as none. Null: not known.",
      }),
      policy: z.enum(["none", "quarantine", "reject"]).nullable(),
      percent: count(100, "The percentage of its email to which this applies; 0: only as a test.").nullable(),
      lookedUpAt,
    }),
    takesEmail: z.enum(["hosts", "no_hosts", "refused", "no_domain"]).nullable().meta({
      description: "Whether the domain names hosts for its email (MX). Null: not known.",
    }),
    concerns: z.array(z.enum(["domain_new", "domain_unregistered", "dmarc_gone", "domain_of_other_abn"])).meta({
      description: "What a person should look at. An empty list does not say that the domain is what it seems to be.",
    }),
  })
  .register(NAMES, { id: "EmailDomain" });

/** In answer form: unknown values are null. */
function shownDomain(known: Awaited<ReturnType<typeof findPayeeDomain>>, now: number) {
  if (!known) return null;
  const { domain, abn, isFreeMail, firstSeenAt = null, lookalikeOf = null, answers } = known;
  const { dns, rdap } = answers;
  const dmarc = dns?.said?.dmarc;
  return {
    domain,
    isFreeMail,
    firstSeenAt,
    lookalikeOf,
    registration: {
      state: rdap?.said?.state ?? null,
      registeredAt: registeredAtOf(rdap?.said),
      registrant: registrantOf(rdap?.said) ?? null,
      lookedUpAt: rdap?.fetchedAt ?? null,
    },
    dmarc: {
      state: dmarc?.state ?? null,
      policy: dmarc?.state === "policy" ? dmarc.policy : null,
      percent: dmarc?.state === "policy" ? dmarc.percent : null,
      lookedUpAt: dns?.fetchedAt ?? null,
    },
    takesEmail: dns?.said?.mail ?? null,
    concerns: [
      ...domainConcerns(answers, now),
      ...(isOfOtherAbn(answers, abn) ? (["domain_of_other_abn"] as const) : []),
    ],
  };
}

const payeeChange = z
  .object({
    id: id(EXAMPLE.entry),
    field: text("accountNumber"),
    oldValue: text("•••••678").nullable(),
    newValue: text("•••••345").nullable(),
    changedBy: text("Mira Okafor").nullable().meta({ description: "Null: PayeeProof itself." }),
    createdAt: instant,
  })
  .register(NAMES, { id: "PayeeChange" });

const withEvidence = z.object({ ...verification.shape, evidence: evidence.nullable() });
const decided = z.object({
  payee,
  notice: z.string().nullable().meta({
    description:
      "If the payee was already on the whitelist, or already off it: what was changed anyway, or that nothing was changed.",
  }),
});
const payeeWithChanges = z.object({
  payee,
  latestVerification: verification.nullable(),
  ...openVerdict,
  changes: z.array(payeeChange),
  formerContact: contactsTold.nullable(),
  emailDomain: emailDomain
    .nullable()
    .meta({ description: "What is public about the domain of its email address. Null: it has no email address." }),
});
const knownWay = z.object({
  kind: z.enum(WAY_KINDS),
  value: text("0417533236", "As the invoice has it, account numbers masked."),
  invoiceId: id(EXAMPLE.invoice).meta({ description: "The first accepted invoice that named it." }),
  since: instant,
  by: text("Mira Okafor", "Who accepted that invoice.").nullable(),
  isNoted: flag(false, "Known only beside the payee's own account: an invoice that names it alone warns."),
});
const byId = { id: idOf("payee", EXAMPLE.payee) };
const reason = "Called the number in the contract";
/** A payee in answer form. The schemas leave out internal fields, such as the account's digests. */
const shownPayee = <P extends Parameters<typeof statusOf>[0]>(
  payee: P,
  latest: Parameters<typeof statusOf>[1],
  grade: Grade | null,
) => ({ ...payee, institution: institutionOf(payee.bsb)?.name ?? null, status: statusOf(payee, latest), grade });

/** With the full account number, which is recorded in the audit trail. */
async function revealPayee(services: Services, actor: Actor, id: string) {
  const { payee, latest, grade } = await getPayeeWithLatest(services, actor, id);
  const now = services.clock.now();
  const [open, changes, notices, domain] = await Promise.all([
    latest?.status === "pending" ? getVerification(services, actor, latest.id) : null,
    listChanges(services, actor, id),
    listNoticesOfPayee(services, actor, id),
    findPayeeDomain(services, actor, payee),
    recordReveal(services, actor, { entityType: "payee", entityId: id }),
  ]);
  return {
    payee: shownPayee(payee, latest, grade),
    latestVerification: latest && shownVerification(latest),
    ...(open ? shownVerdict(open, { timeZone: actor.timeZone, now }) : { verdict: null, flags: [] }),
    changes: changes.map((change) => ({ ...change, changedBy: change.userName })),
    formerContact: toContactsTold(notices, now),
    emailDomain: shownDomain(domain, now),
  };
}

async function revealDecided(services: Services, actor: Actor, payeeId: string, what: keyof typeof TRUST_NOTICES) {
  const [{ payee, latest, grade }] = await Promise.all([
    getPayeeWithLatest(services, actor, payeeId),
    recordReveal(services, actor, { entityType: "payee", entityId: payeeId }),
  ]);
  return { payee: shownPayee(payee, latest, grade), notice: TRUST_NOTICES[what].text };
}

export const PAYEE_CALLS = [
  endpoint({
    id: "listPayees",
    group: "payees",
    at: "GET /api/payees",
    needs: "payees:read",
    title: "List payees",
    text: "Newest first, 50 at a time. A search looks for words of the names, for the BSB, and for the beginning or end of the account number.",
    query: {
      q: word(
        "Any part of a name of three characters or more, a BSB, an ABN, or the beginning or end of an account number.",
        "wattle 062000",
      ),
      status: choice("Which payees.", PAYEE_FILTERS),
      cursor,
    },
    answers: { 200: { text: "A page of payees.", schema: z.object({ payees: z.array(listedPayee), nextCursor }) } },
    examples: [
      { title: "All payees", status: 200 },
      { title: "Payees that wait for verification", status: 200, query: { status: "pending", q: "wattle" } },
    ],
    run: async ({ services, actor, asked }) => {
      const page = await listPayees(services, actor, readPayeesQuery(asked));
      return {
        payees: page.payees.map((payee) => ({
          ...shownPayee(payee, payee.latest, gradeOfListed(payee)),
          accountNumber: maskAccountNumber(payee.accountNumber),
        })),
        nextCursor: page.next ?? null,
      };
    },
  }),
  endpoint({
    id: "addPayee",
    group: "payees",
    at: "POST /api/payees",
    needs: "payees:write",
    title: "Add a payee",
    text: "Opens a verification of the bank details, with what is already known about the account as evidence. Where your policies say so, the payee's bank is asked at once, and its answer is in the verification.",
    isIdempotent: true,
    body: newPayeeSchema,
    answers: {
      201: {
        text: "The payee and its verification.",
        schema: z.object({ payee, verification: withEvidence.nullable() }),
      },
    },
    refusals: ["SUBSCRIPTION_REQUIRED", "DUPLICATE_PAYEE"],
    examples: [
      {
        title: "A payee with an ABN and an email address",
        status: 201,
        json: {
          name: "Wattle Creek Electrical",
          accountName: "Wattle Creek Electrical Pty Ltd",
          bsb: "062-000",
          accountNumber: "1234 5678",
          abn: "51 824 753 556",
          email: "accounts@wattlecreek.example",
        },
      },
      {
        title: "A BSB with too few digits",
        status: 400,
        json: {
          name: "Wattle Creek Electrical",
          accountName: "Wattle Creek Electrical",
          bsb: "0620",
          accountNumber: "12345678",
        },
      },
    ],
    run: async ({ services, actor, body, idempotencyKey }) => {
      const { payeeId, verificationId, isRepeated } = await addPayee(services, actor, {
        details: body,
        idempotencyKey,
      });
      await askNow(services, actor, verificationId);
      const { payee, latest, grade } = await getPayeeWithLatest(services, actor, payeeId);
      // A new payee's details are known to the person who typed them; a repeated key shows the payee as it is now.
      if (isRepeated) await recordReveal(services, actor, { entityType: "payee", entityId: payeeId });
      const verification = latest && { ...shownVerification(latest), evidence: latest.evidence };
      return { payee: shownPayee(payee, latest, grade), verification };
    },
  }),
  ...evidenceCalls({ type: "payee", path: "payees", example: EXAMPLE.payee }),
  endpoint({
    id: "readPayee",
    group: "payees",
    at: "GET /api/payees/{id}",
    needs: "payees:read",
    title: "Read a payee",
    text: "Shows the account number in full; the audit trail records that.",
    path: byId,
    answers: {
      200: {
        text: "The payee, its newest verification, what was changed, and whether its former contact was told.",
        schema: payeeWithChanges,
      },
    },
    examples: [{ title: "One payee", status: 200, path: { id: EXAMPLE.payee } }],
    run: ({ services, actor, path }) => revealPayee(services, actor, path.id),
  }),
  endpoint({
    id: "editPayee",
    group: "payees",
    at: "PATCH /api/payees/{id}",
    needs: "payees:write",
    title: "Edit a payee",
    text: "Fields that are left out stay as they are; null takes a value away. New bank details, or a new name, open a new verification, take the payee off the whitelist and hold its payments. A new spelling of the same name does not. A notice of new bank details goes to everyone who was a contact of the payee in the last 30 days; it is tried until it is sent, and `formerContact` gives its state.",
    path: byId,
    body: payeePatchSchema,
    answers: {
      200: {
        text: "The payee as it is now. `formerContact` says whether the former contact was told. Right after an edit it has not been told yet: a contact counts as told once the provider has accepted the message.",
        schema: payeeWithChanges,
      },
    },
    refusals: ["EDIT_CONFLICT", "DUPLICATE_PAYEE"],
    examples: [
      { title: "A new phone number", status: 200, path: { id: EXAMPLE.payee }, json: { phone: "02 9374 4000" } },
      { title: "Another name", status: 200, path: { id: EXAMPLE.payee }, json: { name: "Wattle Creek Holdings" } },
      {
        title: "New bank details",
        status: 200,
        path: { id: EXAMPLE.payee },
        json: { bsb: "082-001", accountNumber: "70123456" },
      },
    ],
    run: async ({ services, actor, path, body: { version, ...patch } }) => {
      const { endsTrust } = await editPayee(services, actor, { payeeId: path.id, patch, version });
      if (endsTrust) await askNowAbout(services, actor, path.id);
      return revealPayee(services, actor, path.id);
    },
  }),
  endpoint({
    id: "verifyPayeeAgain",
    group: "payees",
    at: "POST /api/payees/{id}/verifications",
    needs: "verifications:write",
    title: "Verify a payee again",
    isIdempotent: true,
    path: byId,
    body: nothing,
    isBodyOptional: true,
    answers: { 201: { text: "The new verification.", schema: z.object({ verification: withEvidence }) } },
    refusals: ["SUBSCRIPTION_REQUIRED", "PAYEE_ARCHIVED", "VERIFICATION_PENDING", "EDIT_CONFLICT"],
    examples: [{ title: "A new verification", status: 201, path: { id: EXAMPLE.whitelistedPayee }, json: {} }],
    run: async ({ services, actor, path, idempotencyKey }) => {
      const { verificationId } = await startVerification(services, actor, path.id, idempotencyKey);
      const [opened] = await Promise.all([
        getVerification(services, actor, verificationId),
        recordReveal(services, actor, { entityType: "verification", entityId: verificationId }),
      ]);
      return { verification: { ...shownVerification(opened), evidence: opened.evidence } };
    },
  }),
  endpoint({
    id: "whitelistPayee",
    group: "payees",
    at: "POST /api/payees/{id}/whitelist",
    needs: "payees:write",
    title: "Put a payee on the whitelist",
    text: "A payee that is already on it is returned as it is. Where your organisation approves only what a bank or a call-back has confirmed, a payee that neither has confirmed is refused.",
    path: byId,
    body: whitelistSchema,
    answers: { 200: { text: "The payee.", schema: decided } },
    refusals: ["SECOND_PERSON_REQUIRED", "PAYEE_ARCHIVED", "REASON_REQUIRED", "EDIT_CONFLICT"],
    examples: [{ title: "With the reason", status: 200, path: { id: EXAMPLE.payee }, json: { reason } }],
    run: async ({ services, actor, path, body }) => {
      const isNew = await whitelistByHand(services, actor, { payeeId: path.id, ...body });
      return revealDecided(services, actor, path.id, isNew ? "added" : "was_on");
    },
  }),
  endpoint({
    id: "unwhitelistPayee",
    group: "payees",
    at: "DELETE /api/payees/{id}/whitelist",
    needs: "payees:write",
    title: "Take a payee off the whitelist",
    text: "Its authorised payments that have no outcome yet are held again. If the payee is already off it because its details or name changed, the former details are forgotten: a rejection can no longer restore them.",
    path: byId,
    body: whitelistSchema,
    answers: { 200: { text: "The payee.", schema: decided } },
    refusals: ["EDIT_CONFLICT"],
    examples: [
      {
        title: "With the reason",
        status: 200,
        path: { id: EXAMPLE.whitelistedPayee },
        json: { reason: "The contract has ended" },
      },
    ],
    run: async ({ services, actor, path, body }) => {
      const what = await unwhitelistByHand(services, actor, { payeeId: path.id, ...body });
      return revealDecided(services, actor, path.id, what);
    },
  }),
  endpoint({
    id: "listWaysToPay",
    group: "payees",
    at: "GET /api/payees/{id}/ways-to-pay",
    needs: "payees:read",
    title: "List what a payee's accepted invoices made known",
    text: "PayIDs, BPAY billers, sites, names for cheques, collectors, accounts abroad or to be debited, addresses for answers and pictures of accepted invoices. The payee's invoices do not warn about them, except where words ask to pay to an account to be debited.",
    path: byId,
    answers: { 200: { text: "The ways to pay.", schema: z.object({ waysToPay: z.array(knownWay) }) } },
    examples: [{ title: "All", status: 200, path: { id: EXAMPLE.payee } }],
    run: async ({ services, actor, path }) => ({
      waysToPay: await listKnownWays(services, actor, await getPayee(services, actor, path.id)),
    }),
  }),
  endpoint({
    id: "forgetWayToPay",
    group: "payees",
    at: "DELETE /api/payees/{id}/ways-to-pay",
    needs: "payees:write",
    by: "admin",
    title: "Forget what an accepted invoice made known",
    text: "The payee's next invoice with it warns again. One that is not known stays forgotten.",
    path: byId,
    body: wayToForgetSchema,
    answers: { 204: { text: "It is not known any more." } },
    refusals: ["ADMIN_REQUIRED"],
    examples: [
      {
        title: "A mobile number",
        status: 204,
        path: { id: EXAMPLE.payee },
        json: { kind: "pay_id", value: "0417533236" },
      },
    ],
    run: async ({ services, actor, path, body }) => {
      await forgetWay(services, actor, { payeeId: path.id, ...body });
      return undefined;
    },
  }),
];
