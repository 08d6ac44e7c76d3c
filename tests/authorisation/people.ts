import { organizations } from "@db/database";
import { eq } from "drizzle-orm";
import { addEndpoint } from "~/modules/messages/webhook-endpoints/endpoint.server";
import { askPayee } from "~/modules/payees/payee-requests/ask-payee.server";
import { countPayeesToCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";
import type { Actor } from "~/services-and-actor";
import { aMember, anOrganization } from "../support/factories";
import { anUpload, aTable } from "../support/imports";
import { anInvoice } from "../support/invoices";
import { anAddedPayee, details, peek } from "../support/payees";
import { anUploadedFile } from "../support/payment-files";
import { aPayment } from "../support/payments";
import { aPerson } from "../support/people";
import { cookieOf } from "../support/requests";
import { type TestServices, testServices } from "../support/services";

/** The people in the table, in the order of its columns. */
export const PEOPLE = [
  "anonymous",
  "admin",
  "member",
  "read_only",
  "pending",
  "rejected",
  "inactive",
  "suspended",
  "other",
  "super_admin",
] as const;
export type Who = (typeof PEOPLE)[number];

/** A clock in step with the Worker's, so that sessions created here are valid there. */
const liveServices = () => testServices({ clock: { now: () => Date.now() } });

export type World = {
  services: TestServices;
  /** The organisation that the rows belong to. */
  admin: Actor;
  payeeId: string;
  verificationId: string;
  paymentId: string;
  fileId: string;
  invoiceId: string;
  importId: string;
  requestId: string;
  bulkCheckId: string;
  endpointId: string;
  /** The cookie of a session; undefined for a visitor. */
  cookieFor(who: Who): Promise<string | undefined>;
  /** The next cookie is that of a new session, because this one may have ended. */
  signInAgain(who: Who): void;
};

/** An organisation with a payee, a verification, a held payment and a person of every role and status; and another one. */
export async function aWorld(): Promise<World> {
  const services = liveServices();
  const organization = await anOrganization(services, { name: "Alpha Fittings" });
  const admin = await aMember(services, { organization, role: "admin" });
  const { payeeId, verificationId } = await anAddedPayee(services, admin);
  const payment = await aPayment(services, admin, payeeId);
  const { fileId } = await anUploadedFile(services, admin, [details()]);
  const invoiceId = await anInvoice(services, admin);
  const { importId } = await anUpload(services, admin, aTable("Kestrel,Kestrel,062-000,40000001"));
  const request = { name: "Tallowwood Timber", email: "asked@tallowwood.example", phone: null, note: null };
  const { requestId } = await askPayee(services, admin, { request });
  const choice = { filter: "all", verified: "never", paid: "any" } as const;
  const { bulkCheckId } = await countPayeesToCheck(services, admin, choice);
  const endpoint = await addEndpoint(services, admin, { url: "https://hooks.alpha.example/", events: ["payee.added"] });
  const suspended = await aMember(services, { role: "admin" });
  await peek.update(organizations).set({ active: false }).where(eq(organizations.id, suspended.organizationId));
  const people: Partial<Record<Who, { userId: string }>> = {
    admin,
    member: await aMember(services, { organization }),
    read_only: await aMember(services, { organization, role: "read_only" }),
    pending: await aMember(services, { organization, role: "admin", status: "pending" }),
    rejected: await aMember(services, { organization, role: "admin", status: "rejected" }),
    inactive: await aMember(services, { organization, role: "admin", status: "inactive" }),
    suspended,
    other: await aMember(services, { role: "admin" }),
    super_admin: { userId: (await aPerson(services, { role: "super_admin" })).id },
  };
  const signedIn = new Map<Who, string | undefined>();
  return {
    services,
    admin,
    payeeId,
    verificationId,
    paymentId: payment.id,
    fileId,
    invoiceId,
    importId,
    requestId,
    bulkCheckId,
    endpointId: endpoint.id,
    async cookieFor(who) {
      const person = people[who];
      if (person && !signedIn.has(who)) signedIn.set(who, await cookieOf(services, { ...admin, ...person }));
      return signedIn.get(who);
    },
    signInAgain: (who) => void signedIn.delete(who),
  };
}
