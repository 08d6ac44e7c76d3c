import { alerts, payees } from "@db/database";
import { and, desc, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { DAY_MS, HOUR_MS } from "~/kernel/dates";
import { changePolicy, findPolicyState } from "~/modules/accounts/organizations/policy.server";
import { beginConsent, connectSystem, returnUrlOf } from "~/modules/connections/connect.server";
import { EVERY_MINUTE } from "~/modules/core/operations/problems";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { readAllAlerts } from "~/modules/messages/alerts/alerts.server";
import { startImport } from "~/modules/payees/imports/control-import.server";
import { getImport } from "~/modules/payees/imports/import.server";
import { uploadImport } from "~/modules/payees/imports/upload-import.server";
import { startHealthRun } from "~/modules/payees/payee-health/health.server";
import { disputePayeeDetails, sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { promoteEarnedPayees } from "~/modules/payees/whitelist/promotion.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { decideLines } from "~/modules/payments/payment-files/decide-lines.server";
import { recordFileOutcomes } from "~/modules/payments/payment-files/record-outcomes.server";
import { changePayer } from "~/modules/payments/payment-files/settings.server";
import { uploadFile } from "~/modules/payments/payment-files/upload-file.server";
import { assignVerification } from "~/modules/verifying/assign.server";
import { askConfirmationOfPayee } from "~/modules/verifying/bank-checks/instant-check.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { recordCall } from "~/modules/verifying/call-backs/call-back.server";
import { commentOnVerification } from "~/modules/verifying/comment.server";
import { restoreFormerDetails } from "~/modules/verifying/review/restore-former.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Services } from "~/services-and-actor";
import { PAYER, writeRun } from "../sample-story";
import { runSweeps, SCHEDULES } from "../schedules";
import { receiveInvoices } from "./example-invoices";
import { BSBS, DETAILS, detailsOf, type Office, OTHER_BSB, startOffice } from "./example-office";

/**
 * Ninety days of Harbour Joinery, so that somebody who starts the product sees it in use: three frauds wait for a
 * decision, and a pay run is half decided. The product's own commands create all of it, with the clock set to each day.
 */

const DAYS = 90;

/**
 * The every-minute schedule without the monitoring of the service and of its queues, because days pass instantly here
 * and nothing is late: what is due is delivered after each run.
 */
const { "operations watched": _watch, "undelivered jobs run": _run, ...SWEEPS } = { ...SCHEDULES[EVERY_MINUTE] };
/** What is due in past days. The other tasks run once, at the end. */
const { "trail noted outside": _noted, "trail counted": _counted, "webhooks raised": _raised, ...FREQUENT } = SWEEPS;
const { "banks asked": _asked, "weaker policies in effect": _policies, "keys noted": _keys, ...PAST } = FREQUENT;
/** How long before today the organisation signed up: before the Friday that the first day moves to from a weekend. */
export const EXAMPLE_DAYS = DAYS + 3;

const NO_MORE = { abn: null, phone: null, address: null };

/** Suppliers of the spreadsheet, which were verified in the first two days. The others were added one by one. */
const IMPORTED = /* @__PURE__ */ DETAILS.slice(0, 42);
/** Suppliers of the pay runs. */
const PAID = /* @__PURE__ */ DETAILS.slice(0, -12);
const ADDED_LATER = /* @__PURE__ */ DETAILS.slice(-12);
/** How many are asked about, and then approved, at once. */
const AT_ONCE = 8;
const verifiedDaysAgo = (index: number): number =>
  index < IMPORTED.length ? DAYS - Math.floor(index / AT_ONCE / 3) : 80 - (index - IMPORTED.length) * 3;

/** Cents. A supplier's invoices differ a little from one to the next. */
const amountOf = (supplier: number, run: number): number =>
  (180 + ((supplier * 7_919) % 5_400)) * 100 + ((supplier * 31 + run * 1_777) % 60) * 1_000 + ((supplier * 13) % 100);

const cell = (text: string | null) => `"${(text ?? "").replaceAll('"', '""')}"`;

/** Settings, the supplier list from a spreadsheet, and its verification. */
function settleIn({ services, then, set, alex, sam, payeeIds, on, add, ask, approve }: Office): void {
  const { organizationId } = alex;
  on(DAYS, 9, 0, () => changePayer(then, alex, PAYER));
  on(DAYS, 9, 40, async () => {
    const rows = IMPORTED.map((each) =>
      [each.name, each.accountName, each.bsb, each.accountNumber, each.abn, each.email, each.phone].map(cell).join(","),
    );
    const text = ["Payee name,Account name,BSB,Account number,ABN,Email,Phone", ...rows].join("\r\n");
    const file = { name: "suppliers.csv", bytes: new TextEncoder().encode(text) };
    const { importId } = await uploadImport(then, sam, file);
    const { mapping } = await getImport(then, sam, importId);
    await startImport(then, sam, { importId, mapping });
    await set.deliver();
    const columns = { id: payees.id, name: payees.name };
    const added = await services.db.select(columns).from(payees).where(eq(payees.organizationId, organizationId));
    for (const { id, name } of added) payeeIds.set(name, id);
  });
  for (let first = 0; first < IMPORTED.length; first += AT_ONCE) {
    const names = IMPORTED.slice(first, first + AT_ONCE).map(({ name }) => name);
    const hour = (first / AT_ONCE) % 3;
    on(verifiedDaysAgo(first), 10 + hour, 0, () => Promise.all(names.map((name) => ask(sam, name))));
    on(verifiedDaysAgo(first), 14 + hour, 0, () => Promise.all(names.map((name) => approve(name))));
  }
  for (const [index, details] of PAID.slice(IMPORTED.length).entries()) {
    const daysAgo = verifiedDaysAgo(IMPORTED.length + index);
    // Most are verified on the same day or the next, some after four days.
    on(daysAgo + (index % 5 === 4 ? 4 : index % 2), 9, 10, () => add(sam, details));
    on(daysAgo, 10, 0, () => ask(sam, details.name));
    on(daysAgo, 14, 0, () => approve(details.name));
  }
  on(78, 9, 5, async () => {
    const { policy, version } = await findPolicyState(then, organizationId);
    await changePolicy(then, alex, { version, policy: { ...policy, secondPersonRequired: true } });
  });
}

/** The suppliers in a pay run: verified ones, and in every third run one that is not verified yet. */
function linesOf(ofRun: number, size: number, daysAgo: number) {
  const known = PAID.map((to, index) => ({ to, index }));
  const verified = known.filter(({ index }) => verifiedDaysAgo(index) > daysAgo);
  const chosen = Array.from({ length: size }, (_, nth) => verified[(ofRun * 5 + nth * 3) % verified.length]);
  const unverified = ofRun % 3 === 0 ? known.slice(verified.length).slice(0, 1) : [];
  const lines = [...new Set([...chosen, ...unverified])].flatMap((each) => each ?? []);
  return lines
    .filter(({ to }) => to.name !== "Karri Floors" && to.name !== "Bayline Freight")
    .map(({ to, index }) => ({ to, amount: amountOf(index, ofRun) }));
}

/** A pay run every week, and an occasional single payment. */
function payEveryWeek({ then, set, alex, sam, on, paid, heldLines }: Office): void {
  for (let run = 1; run <= 11; run++) {
    const daysAgo = 83 - run * 7;
    on(daysAgo, 11, 0, async () => {
      const lines = linesOf(run, 9 + (run % 4) * 2, daysAgo);
      const { fileId } = await uploadFile(then, sam, writeRun(then.clock.now(), run, lines));
      for (const { line } of await heldLines(fileId)) {
        const decided = { decision: "approve", reason: "Invoice and order agree" } as const;
        await decideLines(then, alex, { fileId, choice: { lines: [line] }, ...decided });
      }
      await clearFile(then, alex, { fileId });
      set.set(then.clock.now() + 5 * HOUR_MS);
      const outcome = { status: "successful" as const, except: [], reason: null };
      await recordFileOutcomes(then, alex, { fileId, outcome, processedAt: null });
    });
  }
  for (let nth = 0; nth < 18; nth++) {
    const supplier = (nth * 11) % IMPORTED.length;
    on(74 - nth * 4, 15, nth, () => paid(IMPORTED[supplier]?.name ?? "", amountOf(supplier, nth)));
  }
}

/** New suppliers added one by one, the last of which still wait; a fraud that was stopped; and a genuine change. */
function changeOverTime({ then, alex, sam, on, add, ask, approve, edit, pay, verificationOf }: Office): void {
  for (const [index, details] of ADDED_LATER.entries()) {
    const daysAgo = 60 - index * 5;
    on(daysAgo, 9, 30, () => add(sam, details));
    if (index >= 9) continue;
    on(daysAgo, 11, 0, () => ask(sam, details.name));
    on(daysAgo, 16, 0, () => approve(details.name, index % 3 ? undefined : "Called the number on their website"));
  }
  on(45, 10, 0, () => edit("Karri Floors", { bsb: OTHER_BSB, accountNumber: "55193902" }));
  on(45, 10, 20, () => ask(sam, "Karri Floors"));
  on(45, 13, 0, async () => {
    const { id: paymentId } = await pay("Karri Floors", 1_284_000, "Showroom floor");
    const reason = "The supplier did not change its account: the email was forged";
    await decidePayment(then, alex, { paymentId, decision: "reject", reason });
    await restoreFormerDetails(then, alex, { verificationId: await verificationOf("Karri Floors"), reason });
  });
  on(31, 10, 0, () => edit("Bayline Freight", { bsb: "082001", accountNumber: "71320455" }));
  on(31, 11, 0, async () => {
    const verificationId = await verificationOf("Bayline Freight");
    await askConfirmationOfPayee(then, alex, { verificationId });
    const number = detailsOf("Bayline Freight").phone ?? "";
    const call = { number, source: "on_file", outcome: "confirmed", spokeTo: "Tess Okafor" } as const;
    await recordCall(then, alex, { verificationId, call });
  });
  on(31, 11, 30, () => approve("Bayline Freight", "Tess Okafor confirmed it on the number we had before"));
}

/** Three frauds that need a decision today. */
function beAttacked({ then, set, alex, sam, on, add, ask, edit, pay, payeeOf, verificationOf }: Office): void {
  // Contact and account of a known supplier, changed a day apart.
  on(3, 15, 10, () => edit("Coastal Glass Supplies", { email: "accounts@coasta1glass.example" }));
  on(2, 9, 15, () => edit("Coastal Glass Supplies", { bsb: OTHER_BSB, accountNumber: "48120902" }));
  on(2, 9, 30, () => ask(sam, "Coastal Glass Supplies"));
  on(1, 14, 0, () => pay("Coastal Glass Supplies", 1_845_000, "Shopfront glazing, balance"));
  on(1, 14, 10, async () => {
    const verificationId = await verificationOf("Coastal Glass Supplies");
    await assignVerification(then, sam, { verificationId, assigneeId: alex.userId });
    const text = "The change came by email, and they are chasing the balance. @Alex can you look before the run?";
    await commentOnVerification(then, sam, { verificationId, text });
  });
  // A new payee that imitates an existing one.
  on(2, 13, 0, () =>
    add(sam, {
      ...{ name: "Harbourside Timber", accountName: "Harbourside Timber Trading Pty Ltd", bsb: OTHER_BSB },
      ...{ accountNumber: "60817330", email: "office@harbourside-timbers.example", ...NO_MORE },
    }),
  );
  on(1, 9, 0, () => pay("Harbourside Timber", 932_050, "Spotted gum, 4 packs"));
  // A change that the supplier itself denies.
  on(4, 10, 0, () => edit("Wattle Creek Electrical", { bsb: OTHER_BSB, accountNumber: "39264471" }));
  on(3, 9, 0, async () => {
    const verificationId = await verificationOf("Wattle Creek Electrical");
    const token = then.ids.secret();
    await sendPayeeLink({ ...then, ids: { ...then.ids, secret: () => token } }, alex, { verificationId });
    await set.deliver();
    set.set(then.clock.now() + 2 * HOUR_MS);
    const link = { token, vid: verificationId, pid: payeeOf("Wattle Creek Electrical") };
    const note = "We have not changed banks. Please call me before you pay anything.";
    await disputePayeeDetails(then, sam.origin, { ...link, note });
  });
  on(2, 11, 0, () => pay("Wattle Creek Electrical", 418_600));
}

/** Ordinary work that waits for somebody, and today's pay run, half decided. */
function leaveOpenWork({ then, alex, sam, on, add, ask, edit, verificationOf, heldLines }: Office): void {
  on(1, 10, 0, () => edit("Jarrah Joists", { accountName: "Jarrah Joists & Beams Pty Ltd" }));
  /** The end of an account number chooses the bank simulator's answer. */
  const newcomers = [
    ["Lantana Joinery Machines", "Lantana Joinery Machines Pty Ltd", "27316901", "lantanamachines", true],
    ["P J Whitlam Plastering", "Peter John Whitlam", "50182218", "whitlamplastering", false],
    ["Seaspray Cladding", "Seaspray Cladding Pty Ltd", "61904911", "seaspraycladding", true],
    ["Kurrajong Training", "Kurrajong Training Pty Ltd", "18824560", "kurrajongtraining", false],
    ["Treehouse Design Co", "Treehouse Design Co Pty Ltd", "72310904", "treehousedesign", true],
    ["Bunya Bolts", "Bunya Bolts Pty Ltd", "33871245", "bunyabolts", true],
  ] as const;
  for (const [index, [name, accountName, accountNumber, domain, isAsked]] of newcomers.entries()) {
    const account = { accountName, accountNumber, bsb: BSBS[index] ?? "" };
    on(1, 11, index * 5, () => add(sam, { name, ...account, email: `accounts@${domain}.example`, ...NO_MORE }));
    if (isAsked) on(1, 11, 30 + index, () => ask(sam, name));
  }
  on(1, 12, 0, async () =>
    startBankDataCheck(then, sam, { verificationId: await verificationOf("Kurrajong Training") }),
  );
  on(0, 8, 0, async () => {
    const lines = [
      ...linesOf(12, 9, 2).slice(0, 9),
      { to: { ...detailsOf("Coastal Glass Supplies"), bsb: OTHER_BSB, accountNumber: "48120902" }, amount: 612_000 },
      { to: { ...detailsOf("Wattle Creek Electrical"), bsb: OTHER_BSB, accountNumber: "39264471" }, amount: 418_600 },
      { to: detailsOf("Karri Floors"), amount: 2_260_000 },
      { to: { ...detailsOf("Galah Print"), accountNumber: "90413377" }, amount: 148_500 },
    ];
    const { fileId } = await uploadFile(then, sam, writeRun(then.clock.now(), 12, lines));
    const [first] = await heldLines(fileId);
    const decided = { decision: "reject", reason: "Under review: the account was changed this week" } as const;
    if (first) await decideLines(then, alex, { fileId, choice: { lines: [first.line] }, ...decided });
  });
  on(0, 8, 20, () => startHealthRun(then, alex));
}

/** Marks the alerts from before this week as read. */
async function readAlertsSoFar({ services, then, alex, sam }: Office): Promise<void> {
  for (const actor of [alex, sam]) {
    const ofPerson = and(eq(alerts.organizationId, actor.organizationId), eq(alerts.userId, actor.userId));
    const newest = services.db.select({ id: alerts.id }).from(alerts).where(ofPerson).orderBy(desc(alerts.id)).limit(1);
    const [alert] = await newest;
    if (alert) await readAllAlerts(then, actor, alert.id);
  }
}

/** The supplier in the Xero simulator, before anybody changes anything. */
const XERO = { tenantId: "b1f2c9d0-0000-4000-8000-000000000001", contactId: "c0000000-0000-4000-8000-000000000001" };
const XERO_SUPPLIER = "Wattle Stationery Pty Ltd";

/**
 * The administrator connects the app to the Xero simulator and its suppliers are read. One is approved; then somebody
 * changes its account in Xero, and the simulator notifies the app.
 */
async function connectXero(office: Office, call: Call): Promise<void> {
  const { services, then, set, alex, sam, payeeIds, ask, verificationOf } = office;
  const { address, kept } = await beginConsent(then, "xero");
  const form = new URLSearchParams({ answer: "allow", tenantId: XERO.tenantId });
  const answer = await call(new Request(address, { method: "POST", body: form, redirect: "manual" }));
  const { searchParams: query } = new URL(answer.headers.get("location") ?? "");
  const returned = { code: query.get("code") ?? "", codeVerifier: kept.codeVerifier, query };
  const returnUrl = returnUrlOf(then, "xero");
  await connectSystem(then, alex, { system: "xero", returned: { ...returned, returnUrl } });
  await set.deliver();
  const ofSupplier = and(eq(payees.organizationId, alex.organizationId), eq(payees.name, XERO_SUPPLIER));
  const [supplier] = await services.db.select({ id: payees.id }).from(payees).where(ofSupplier);
  if (!supplier) throw new Error("no supplier came from Xero");
  payeeIds.set(XERO_SUPPLIER, supplier.id);
  await ask(sam, XERO_SUPPLIER);
  const review = { approved: true, addToGlobalWhitelist: false, reason: "The bank confirms the account" } as const;
  await reviewVerification(then, sam, { verificationId: await verificationOf(XERO_SUPPLIER), review });
  const changed = { name: XERO_SUPPLIER, email: "accounts@wattle.example", bankAccount: "732-001 61527740" };
  const page = new URL(`/xero/contacts/${XERO.contactId}`, address);
  const body = new URLSearchParams({ ...changed, user: "Jo Park" });
  await call(new Request(page, { method: "POST", body, redirect: "manual" }));
}

/**
 * Recent days, whose alerts are created day by day. Alerts of earlier days are already read, and are created together.
 */
const LAST_DAYS_MS = 6 * DAY_MS;

type Call = (request: Request) => Promise<Response>;

/**
 * Creates the example once, in an organisation that has no payees yet.
 * @param call calls the simulators' own pages
 */
export async function makeExample(services: Services, call: Call = (request) => fetch(request)): Promise<void> {
  const office = await startOffice(services);
  const { then, set, story } = office;
  for (const chapter of [settleIn, payEveryWeek, changeOverTime, beAttacked, receiveInvoices, leaveOpenWork])
    chapter(office);
  office.on(5, 18, 0, () => readAlertsSoFar(office));
  let nextLook = 0;
  for (const { at, what } of story.sort((a, b) => a.at - b.at)) {
    set.set(at);
    if (at >= nextLook) {
      nextLook = at + (at < services.clock.now() - LAST_DAYS_MS ? 10 * DAY_MS : 8 * HOUR_MS);
      await runSweeps(PAST, then);
      await set.deliver();
    }
    await what().catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new Error(`the example on ${new Date(at).toISOString()}: ${error.code} ${error.message}`);
    });
    await set.deliver();
  }
  set.set(services.clock.now());
  await promoteEarnedPayees(then);
  await runSweeps(SWEEPS, then);
  await set.deliver();
  await sealAuditTrail(then);
  await connectXero(office, call);
}
