import { organizations, organizationUsers, paymentFileLines, users, verifications } from "@db/database";
import { SUPPLIERS } from "@simulators/suppliers";
import { and, asc, eq, sql } from "drizzle-orm";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { PayeeDetails } from "~/kernel/payee";
import { addPayee } from "~/modules/payees/add-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import { askConfirmationOfPayee } from "~/modules/verifying/bank-checks/instant-check.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Actor, Services } from "~/services-and-actor";
import { consume } from "../queues";
import { onSetClock, SYDNEY_OFFSET_MS } from "../sample-story";

/** The people and suppliers of Harbour Joinery in the example, and what the people do. Each step is one of the product's own commands. */

export const BSBS = /* @__PURE__ */ "062000 033000 082001 012003 484799 633000 062948 082057 032002 013006".split(" ");
/** The criminals' bank, which none of the suppliers uses. */
export const OTHER_BSB = "732001";

/** Account numbers end in 100 to 899, which the bank simulator confirms. */
export const DETAILS: readonly PayeeDetails[] = /* @__PURE__ */ SUPPLIERS.map((supplier, index) => ({
  ...supplier,
  bsb: BSBS[index % BSBS.length] ?? "",
  accountNumber: `${20_417 + index * 613}${100 + ((index * 37) % 800)}`,
  phone: index % 3 === 0 ? `+6125550${String(1000 + index)}` : null,
  address: null,
}));

export function detailsOf(name: string): PayeeDetails {
  const found = DETAILS.find((each) => each.name === name);
  if (!found) throw new Error(`no supplier is ${name}`);
  return found;
}

/** Queued work is done when `deliver` is called, on the clock's current day. */
function onDeliveredClock(services: Services) {
  const { then: quiet, set } = onSetClock(services);
  const told: { queue: string; jobId: string }[] = [];
  const then: Services = {
    ...quiet,
    queues: {
      async send(queue, jobIds, delaySeconds = 0) {
        if (delaySeconds === 0) told.push(...jobIds.map((jobId) => ({ queue, jobId })));
      },
    },
  };
  return {
    then,
    set,
    async deliver() {
      for (let jobs = told.splice(0); jobs.length > 0; jobs = told.splice(0)) {
        const deliveries = jobs.map(({ queue, jobId }) => {
          const message = { id: jobId, body: { jobId, v: 1 }, ack() {}, retry() {} };
          return consume({ queue, messages: [message] } as unknown as MessageBatch, then);
        });
        await Promise.all(deliveries);
        set(0);
      }
    },
  };
}

/** A person of the organisation, as a signed-in actor. */
async function actorOf({ db }: Services, email: string): Promise<Actor> {
  const [row] = await db
    .select({ user: users, role: organizationUsers.role, organization: organizations })
    .from(users)
    .innerJoin(organizationUsers, eq(organizationUsers.userId, users.id))
    .innerJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .where(eq(users.email, email));
  if (!row) throw new Error(`nobody is ${email}`);
  const { user, role, organization } = row;
  return {
    userId: user.id,
    sessionId: "",
    username: user.username,
    email,
    emailVerified: true,
    firstName: user.firstName,
    lastName: user.lastName,
    status: "active",
    role,
    organizationRole: role,
    organizationId: organization.id,
    organizationName: organization.name,
    timeZone: DEFAULT_POLICY.timeZone,
    hasSeveralOrganizations: false,
    isSuspended: false,
    twoStepEnabled: false,
    needsTwoStep: false,
    origin: { ipAddress: "203.0.113.7", userAgent: "Example", requestId: "example" },
  };
}

type Told = { at: number; what: () => Promise<unknown> };

export async function startOffice(services: Services) {
  const set = onDeliveredClock(services);
  const { then } = set;
  const { db } = services;
  const [alex, sam] = await Promise.all([
    actorOf(services, "alex@harbour.example"),
    actorOf(services, "sam@harbour.example"),
  ]);
  const { organizationId } = alex;
  const payeeIds = new Map<string, string>();
  const story: Told[] = [];
  const today = Math.floor((services.clock.now() + SYDNEY_OFFSET_MS) / DAY_MS) * DAY_MS - SYDNEY_OFFSET_MS;

  /**
   * Schedules an action so many days ago, at an hour and minute in the office's time zone. One that falls on a weekend
   * moves to the Friday before.
   */
  function on(daysAgo: number, hour: number, minute: number, what: Told["what"]): void {
    const at = today - daysAgo * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS;
    const weekday = new Date(at + SYDNEY_OFFSET_MS).getUTCDay();
    const back = daysAgo < 5 ? 0 : weekday === 0 ? 2 : weekday === 6 ? 1 : 0;
    story.push({ at: Math.min(at - back * DAY_MS, services.clock.now() - MINUTE_MS), what });
  }

  function payeeOf(name: string): string {
    const id = payeeIds.get(name);
    if (!id) throw new Error(`${name} was not added yet`);
    return id;
  }

  async function verificationOf(name: string): Promise<string> {
    const ofPayee = and(eq(verifications.organizationId, organizationId), eq(verifications.payeeId, payeeOf(name)));
    const [row] = await db
      .select({ id: verifications.id })
      .from(verifications)
      .where(and(ofPayee, sql`${verifications.status} = 'pending'`));
    if (!row) throw new Error(`nothing of ${name} waits`);
    return row.id;
  }

  const add = async (actor: Actor, details: PayeeDetails) => {
    const { payeeId } = await addPayee(then, actor, { details });
    payeeIds.set(details.name, payeeId);
  };
  const ask = async (actor: Actor, name: string) =>
    askConfirmationOfPayee(then, actor, { verificationId: await verificationOf(name) });
  const approve = async (name: string, reason?: string) =>
    reviewVerification(then, alex, {
      verificationId: await verificationOf(name),
      review: { approved: true, addToGlobalWhitelist: false, reason },
    });
  const edit = (name: string, patch: Partial<PayeeDetails>) => editPayee(then, sam, { payeeId: payeeOf(name), patch });

  let invoice = 4_100;
  const pay = async (name: string, amount: number, description: string | null = null, number?: string) => {
    const reference = number ?? `INV-${invoice++}`;
    const payment = { to: { payeeId: payeeOf(name) }, amount, reference, description };
    return (await recordPayment(then, sam, { payment })).payment;
  };
  /** Records a payment, has it approved if a rule holds it, and marks it as paid. */
  const paid = async (name: string, amount: number, number?: string) => {
    const { id: paymentId, status } = await pay(name, amount, null, number);
    const reason = "Order and delivery docket agree";
    if (status === "held") await decidePayment(then, alex, { paymentId, decision: "approve", reason });
    await recordOutcome(then, alex, { paymentId, status: "successful", reason: null, processedAt: null });
  };

  const heldLines = (fileId: string) => {
    const ofFile = and(eq(paymentFileLines.organizationId, organizationId), eq(paymentFileLines.fileId, fileId));
    return db
      .select({ line: paymentFileLines.line })
      .from(paymentFileLines)
      .where(and(ofFile, eq(paymentFileLines.status, "held")))
      .orderBy(asc(paymentFileLines.line));
  };

  return {
    ...{ services, then, set, alex, sam, payeeIds, story },
    ...{ on, payeeOf, verificationOf, add, ask, approve, edit, pay, paid, heldLines },
  };
}

export type Office = Awaited<ReturnType<typeof startOffice>>;
