import { organizations, payees, paymentFileLines, users, verifications } from "@db/database";
import { and, asc, eq, sql } from "drizzle-orm";
import { V7Generator } from "uuidv7";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { PayeeDetails } from "~/kernel/payee";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { jobIsLeased, postponeJob, runStep } from "~/modules/core/commands/run-command.server";
import { addPayee } from "~/modules/payees/add-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { writeAba, writeDetail, writeHeader } from "~/modules/payments/payment-files/aba";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { decideLines } from "~/modules/payments/payment-files/decide-lines.server";
import { recordFileOutcomes } from "~/modules/payments/payment-files/record-outcomes.server";
import { changePayer } from "~/modules/payments/payment-files/settings.server";
import { uploadFile } from "~/modules/payments/payment-files/upload-file.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { inventedEmail, SAMPLE_DAYS, SAMPLE_FAILED, SAMPLE_NAME } from "~/modules/records/sample-data.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import { askConfirmationOfPayee } from "~/modules/verifying/bank-checks/instant-check.server";
import { recordCall } from "~/modules/verifying/call-backs/call-back.server";
import { restoreFormerDetails } from "~/modules/verifying/review/restore-former.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { InstantAnswer, InstantBankData } from "~/ports/instant-bank-data";
import type { Actor, Services } from "~/services-and-actor";

/**
 * The history of the sample-data organisation: the product's own commands, each with the clock set to its day. The
 * banks' answers are invented, and nothing is sent outside.
 */

/** Sydney without daylight saving: offices open at nine or ten. */
export const SYDNEY_OFFSET_MS = 10 * HOUR_MS;

/** The account that Harbour Joinery pays from. */
export const PAYER = {
  bank: "CBA",
  userName: "HARBOUR JOINERY",
  userId: "301500",
  bsb: "062000",
  accountNumber: "10482266",
  remitter: "HARBOUR JOINERY",
};

/** Services with a settable clock. Ids follow the clock, because lists sort by id. Nothing is sent to queues. */
export function onSetClock(services: Services) {
  let now = 0;
  const generator = new V7Generator();
  const then: Services = {
    ...services,
    // The log of today does not report the actions of past days.
    log: { ...services.log, info: () => {} },
    // The story decides when a bank is asked.
    config: { ...services.config, asksBanksAutomatically: false },
    clock: { now: () => now },
    ids: { ...services.ids, next: () => generator.generateOrResetCore(now, MINUTE_MS).toString() },
    queues: { async send() {} },
  };
  return {
    then,
    set(at: number) {
      now = Math.max(now + 1, at);
    },
  };
}

/** A payment file with these lines, in an accounting system's format. */
export function writeRun(now: number, ofRun: number, lines: readonly { to: PayeeDetails; amount: number }[]) {
  const on = new Date(now + SYDNEY_OFFSET_MS).toISOString();
  const date = `${on.slice(8, 10)}${on.slice(5, 7)}${on.slice(2, 4)}`;
  const records = lines.map(({ to, amount }, index) => {
    const record = writeDetail({
      ...{ bsb: to.bsb, accountNumber: to.accountNumber, title: to.accountName, amount },
      ...{ indicator: " ", code: "50", reference: `HJ${ofRun}-${index + 1}`, withholding: 0 },
      ...{ trace: { bsb: PAYER.bsb, accountNumber: PAYER.accountNumber }, remitter: PAYER.remitter },
    });
    return { record, code: "50", amount };
  });
  const header = writeHeader({ ...PAYER, description: "SUPPLIERS", date });
  return { name: `pay-run-${date}.aba`, bytes: new TextEncoder().encode(writeAba(header, records)) };
}

/**
 * The account name, if it is not the payee's name with "Pty Ltd", and the account number. None of them has an email
 * address.
 */
const SUPPLIERS: Readonly<Record<string, PayeeDetails>> = Object.fromEntries(
  [
    ["Anvil & Oak Tools", "Anvil and Oak Tools Pty Ltd"],
    ["Banksia Veneers"],
    ["Bayline Freight"],
    ["Blackwood Finishes"],
    ["Coastal Glass Supplies"],
    ["D & M Petrakis", "Dimitri and Maria Petrakis"],
    ["Galah Print"],
    ["Golden Wattle Landscapes"],
    ["Harbourside Timbers"],
    ["Jarrah Joists"],
    ["K T Nguyen Cabinetry", "Kim Thi Nguyen"],
    ["Narrabeen Hardware"],
    ["Spotted Gum Supply"],
    ["Waratah Windows"],
  ].map(([name = "", accountName = `${name} Pty Ltd`], index) => [
    name,
    {
      ...{ name, accountName, bsb: ["062000", "033000", "082001", "012003"][index % 4] ?? "" },
      ...{ accountNumber: `${20_417 + index * 613}${100 + index * 37}`, abn: null, email: null, address: null },
      phone: `+6125550${1000 + index}`,
    },
  ]),
);
const NAMES = Object.keys(SUPPLIERS);

/** The criminals' bank, which none of the suppliers uses. */
const OTHER_BSB = "732001";
const newcomer = (name: string, accountNumber: string, accountName = `${name} Pty Ltd`): PayeeDetails => ({
  ...{ name, accountName, accountNumber, bsb: OTHER_BSB, abn: null, email: null, phone: null, address: null },
});

/** The invented banks' answers. For every other account the name matches. */
const ANSWERS: Readonly<Record<string, InstantAnswer>> = {
  "48120902": { verdict: "no_match", name: null },
  "39264471": { verdict: "no_match", name: null },
  "33871245": { verdict: "close_match", name: "PETER WHITLAM" },
  "61904911": { verdict: "account_closed", name: null },
};

const INVENTED_BANKS: InstantBankData = {
  party: "sample",
  service: "sample data: no bank was asked",
  lookUp: async ({ accountNumber, accountName }) =>
    ANSWERS[accountNumber] ?? { verdict: "match", name: accountName.toUpperCase() },
};

type Office = ReturnType<typeof startOffice>;
type Act = { at: number; what: (office: Office) => Promise<unknown> };

function startOffice(services: Services, alex: Actor, sam: Actor) {
  const { then, set } = onSetClock(services);
  const { organizationId } = alex;
  const { db } = then;
  const payeeOf = async (name: string): Promise<string> => {
    const named = and(eq(payees.organizationId, organizationId), eq(payees.name, name));
    const [row] = await db.select({ id: payees.id }).from(payees).where(named);
    if (!row) throw new Error(`${name} was not added yet`);
    return row.id;
  };
  const verificationOf = async (name: string): Promise<string> => {
    const ofPayee = eq(verifications.payeeId, await payeeOf(name));
    const [row] = await db
      .select({ id: verifications.id })
      .from(verifications)
      .where(and(eq(verifications.organizationId, organizationId), ofPayee, sql`${verifications.status} = 'pending'`));
    if (!row) throw new Error(`nothing of ${name} waits`);
    return row.id;
  };
  const ask = async (name: string) => askConfirmationOfPayee(then, sam, { verificationId: await verificationOf(name) });
  const pay = async (name: string, amount: number, reference: string) => {
    const payment = { to: { payeeId: await payeeOf(name) }, amount, reference, description: null };
    return (await recordPayment(then, sam, { payment })).payment;
  };
  const decide = async (fileId: string, decision: "approve" | "reject", reason: string, most = 100) => {
    const held = await db
      .select({ line: paymentFileLines.line })
      .from(paymentFileLines)
      .where(and(eq(paymentFileLines.fileId, fileId), eq(paymentFileLines.organizationId, organizationId), isHeld))
      .orderBy(asc(paymentFileLines.line))
      .limit(most);
    const lines = held.map(({ line }) => line);
    if (lines.length > 0) await decideLines(then, alex, { fileId, choice: { lines }, decision, reason });
  };
  return { then, set, alex, sam, payeeOf, verificationOf, ask, pay, decide };
}

const isHeld = eq(paymentFileLines.status, "held");

const add = (details: PayeeDetails) => (office: Office) => addPayee(office.then, office.sam, { details });
const ask = (name: string) => (office: Office) => office.ask(name);
const edit = (name: string, patch: Partial<PayeeDetails>) => async (office: Office) =>
  editPayee(office.then, office.sam, { payeeId: await office.payeeOf(name), patch });
const pay = (name: string, amount: number, reference: string) => (office: Office) =>
  office.pay(name, amount, reference);
const approve = (name: string, reason?: string) => async (office: Office) => {
  const review = { approved: true, addToGlobalWhitelist: false, reason } as const;
  return reviewVerification(office.then, office.alex, { verificationId: await office.verificationOf(name), review });
};
const restore = (name: string, reason: string) => async (office: Office) =>
  restoreFormerDetails(office.then, office.alex, { verificationId: await office.verificationOf(name), reason });

/** Records a payment, has it approved if a rule holds it, and marks it as paid. */
const paid = (name: string, amount: number, reference: string) => async (office: Office) => {
  const { id: paymentId, status } = await office.pay(name, amount, reference);
  const reason = "Order and delivery docket agree";
  if (status === "held") await decidePayment(office.then, office.alex, { paymentId, decision: "approve", reason });
  await recordOutcome(office.then, office.alex, { paymentId, status: "successful", reason: null, processedAt: null });
};

const amountOf = (supplier: number, run: number): number => 42_500 + ((supplier * 7_919 + run * 1_777) % 380) * 1_000;

/** A pay run. Either all of it is decided and paid, or only its first held line is decided, and rejected. */
const run = (ofRun: number, names: readonly string[], isOver: boolean) => async (office: Office) => {
  const { then, alex, sam, set } = office;
  const lines = names.map((name, index) => ({
    to: { ...supplierOf(name), ...(isOver ? {} : OTHER_ACCOUNTS[name]) },
    amount: amountOf(index, ofRun),
  }));
  const { fileId } = await uploadFile(then, sam, writeRun(then.clock.now(), ofRun, lines));
  if (!isOver) return office.decide(fileId, "reject", "Under review: the account was changed this week", 1);
  await office.decide(fileId, "approve", "Invoice and order agree");
  await clearFile(then, alex, { fileId });
  set(then.clock.now() + 5 * HOUR_MS);
  const outcome = { status: "successful" as const, except: [], reason: null };
  return recordFileOutcomes(then, alex, { fileId, outcome, processedAt: null });
};

function supplierOf(name: string): PayeeDetails {
  const found = SUPPLIERS[name];
  if (!found) throw new Error(`no supplier is ${name}`);
  return found;
}

/** The wrong accounts in the last run: the criminals', and a mistake. */
const OTHER_ACCOUNTS: Readonly<Record<string, Partial<PayeeDetails>>> = {
  "Coastal Glass Supplies": { bsb: OTHER_BSB, accountNumber: "48120902" },
  "Jarrah Joists": { accountNumber: "90413377" },
};

/** Sixty days, in order. */
function story(now: number): Act[] {
  const acts: Act[] = [];
  const today = Math.floor((now + SYDNEY_OFFSET_MS) / DAY_MS) * DAY_MS - SYDNEY_OFFSET_MS;
  const on = (daysAgo: number, hour: number, minute: number, what: Act["what"]) =>
    acts.push({ at: Math.min(today - daysAgo * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS, now - MINUTE_MS), what });

  on(SAMPLE_DAYS, 9, 0, ({ then, alex }) => changePayer(then, alex, PAYER));
  for (const [index, name] of NAMES.entries()) {
    const day = SAMPLE_DAYS - 1 - index;
    on(day, 9, 30, add(supplierOf(name)));
    on(day, 10, 0, ask(name));
    on(day, 14, 0, approve(name));
  }
  const known = NAMES.filter((name) => name !== "Coastal Glass Supplies" && name !== "Bayline Freight");
  for (const [index, daysAgo] of [42, 35, 28, 21, 14, 7].entries()) {
    on(daysAgo, 11, 0, run(index + 1, known.slice(index % 3, 7 + (index % 4)), true));
    on(daysAgo - 2, 15, 0, paid(known[index] ?? "", amountOf(index, 20), `INV-${4100 + index}`));
  }
  // A fraud that was stopped, and a genuine change.
  on(30, 10, 0, edit("Galah Print", { bsb: OTHER_BSB, accountNumber: "39264471" }));
  on(30, 10, 20, ask("Galah Print"));
  on(30, 13, 0, restore("Galah Print", "The supplier did not change its account: the letter was forged"));
  on(18, 10, 0, edit("Bayline Freight", { accountNumber: "71320455" }));
  on(18, 10, 30, ask("Bayline Freight"));
  on(18, 11, 0, async ({ then, alex, verificationOf }) =>
    recordCall(then, alex, {
      verificationId: await verificationOf("Bayline Freight"),
      call: { number: "+61255501002", source: "on_file", outcome: "confirmed", spokeTo: "Tess Okafor" },
    }),
  );
  on(18, 11, 30, approve("Bayline Freight", "Tess Okafor confirmed it on the number we had before"));
  // Two frauds that need a decision: contact and account changed a day apart, and a payee that imitates an existing one
  // with an account that belonged to a different payee.
  on(3, 15, 0, edit("Coastal Glass Supplies", { phone: "+61255509017" }));
  on(2, 9, 0, edit("Coastal Glass Supplies", { bsb: OTHER_BSB, accountNumber: "48120902" }));
  on(2, 9, 30, ask("Coastal Glass Supplies"));
  on(1, 14, 0, pay("Coastal Glass Supplies", 1_845_000, "INV-4190"));
  on(
    2,
    13,
    0,
    add({
      ...supplierOf("Bayline Freight"),
      ...{ name: "Harbourside Timber", accountName: "Harbourside Timber Trading Pty Ltd", phone: null },
    }),
  );
  on(1, 9, 0, pay("Harbourside Timber", 932_050, "INV-4191"));
  // Ordinary work that waits for somebody.
  on(1, 10, 0, add(newcomer("Lantana Joinery Machines", "27316901")));
  on(1, 10, 10, ask("Lantana Joinery Machines"));
  on(1, 11, 0, add(newcomer("P J Whitlam Plastering", "33871245", "Peter John Whitlam")));
  on(1, 11, 10, ask("P J Whitlam Plastering"));
  on(1, 11, 20, add(newcomer("Seaspray Cladding", "61904911")));
  on(1, 11, 30, ask("Seaspray Cladding"));
  on(0, 8, 0, run(7, ["Coastal Glass Supplies", ...known.slice(0, 8)], false));
  return acts.sort((a, b) => a.at - b.at);
}

/** Actions per delivery: a pay run takes a hundred queries or more, and the database allows a thousand per event. */
const ACTS_PER_STEP = 4;

/**
 * Runs the next actions of the story. If it was interrupted between an action and its note, it cannot continue:
 * somebody has to remove the sample data and load it again.
 */
export async function makeSampleData(services: Services, job: Job): Promise<void> {
  const { db, clock } = services;
  const sampleId = job.subjectId ?? "";
  const here = eq(organizations.id, sampleId);
  const [sample] = await db
    .select({ step: organizations.sampleStep, removed: organizations.removalStartedAt, made: organizations.updatedAt })
    .from(organizations)
    .where(and(here, sql`${organizations.sampleFor} = ${job.organizationId}`));
  if (!sample || sample.step === null || sample.step === SAMPLE_FAILED || sample.removed !== null) {
    return finishJob(services, job);
  }
  const acts = story(job.createdAt);
  const [alex, sam] = await Promise.all([actorOf(services, sampleId, "alex"), actorOf(services, sampleId, "sam")]);
  const office = startOffice({ ...services, instantBankData: INVENTED_BANKS, secondBankData: undefined }, alex, sam);
  const next = acts.slice(sample.step, sample.step + ACTS_PER_STEP);
  for (const { at, what } of next) {
    office.set(at);
    await what(office);
  }
  const done = sample.step + next.length;
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [
      db
        .update(organizations)
        .set({ sampleStep: done < acts.length ? done : null })
        .where(here),
      postponeJob(services, job, { dueAt: clock.now(), attempts: 0 }),
    ],
    woken: [job],
  });
}

/** Marks the sample data as failed, so that its page stops waiting. */
export async function giveUpSampleData(services: Services, job: Job, error: string): Promise<void> {
  const { db } = services;
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [
      db
        .update(organizations)
        .set({ sampleStep: SAMPLE_FAILED })
        .where(eq(organizations.id, job.subjectId ?? "")),
    ],
  });
  await finishJob(services, job, "failed", error);
}

/**
 * One of the invented people as a signed-in actor. They have an administrator's rights, and nobody can sign in as them.
 */
async function actorOf({ db }: Services, sampleId: string, local: "alex" | "sam"): Promise<Actor> {
  const email = inventedEmail(local, sampleId);
  const [user] = await db.select().from(users).where(eq(users.email, email));
  if (!user) throw new Error(`nobody is ${email}`);
  const role = local === "alex" ? "admin" : "member";
  return {
    ...{ userId: user.id, sessionId: "", username: email, email, firstName: user.firstName, lastName: user.lastName },
    ...{ emailVerified: true, status: "active", role, organizationRole: role, timeZone: DEFAULT_POLICY.timeZone },
    ...{ organizationId: sampleId, organizationName: SAMPLE_NAME, hasSeveralOrganizations: false, isSuspended: false },
    ...{ twoStepEnabled: false, needsTwoStep: false },
    origin: { ipAddress: null, userAgent: null, requestId: "sample-data" },
  };
}
