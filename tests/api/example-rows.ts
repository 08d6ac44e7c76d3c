import { alerts, tokens } from "@db/database";
import { EXAMPLE, type Example, type ExampleName } from "~/api/endpoint.server";
import { HOUR_MS } from "~/kernel/dates";
import { addEndpoint, listDeliveries, sendTestEvent } from "~/modules/messages/webhook-endpoints/endpoint.server";
import { sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { askPayee } from "~/modules/payees/payee-requests/ask-payee.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { countPayeesToCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";
import { connectXero } from "../support/accounting";
import { linkInMail } from "../support/bank-checks";
import { anOrganization } from "../support/factories";
import { anUpload, aTable } from "../support/imports";
import { anInvoice } from "../support/invoices";
import { anAddedPayee, details } from "../support/payees";
import { anUploadedFile } from "../support/payment-files";
import { aPayment, aTrustedPayee } from "../support/payments";
import { aDomain, belongs, claims, PASSWORD } from "../support/people";
import type { Api, Sent } from "./an-api";

/** Creates the rows that the examples of the API's document refer to. */

type Found = Partial<Record<ExampleName, string>>;
type Maker = (api: Api) => Promise<Found>;

const aFile = async ({ world, actor }: Api, payees: "trusted" | "unknown") => {
  const payee = payees === "trusted" ? (await aTrustedPayee(world, actor)).details : details();
  return (await anUploadedFile(world, actor, [payee])).fileId;
};

const aLink: Maker = async ({ world, actor }) => {
  const { verificationId } = await anAddedPayee(world, actor);
  await sendPayeeLink(world, actor, { verificationId, channel: "email" });
  await world.drain();
  const { token, vid, pid } = await linkInMail(world);
  return { linkToken: token, linkVerification: vid, linkPayee: pid };
};

const anEndpoint: Maker = async ({ world, actor }) => {
  const url = "https://hooks.harbourjoinery.com.au/payeeproof";
  const { id } = await addEndpoint(world, actor, { url, events: ["payment.held_again"] });
  return { endpoint: id };
};

const anAccount: Maker = async ({ actor }) => ({ email: actor.email, password: PASSWORD });

/** The rows that an example needs, created separately for each. */
const MAKERS: Partial<Record<ExampleName, Maker>> = {
  organization: async ({ actor }) => ({ organization: actor.organizationId }),
  person: async ({ actor }) => ({ person: actor.userId }),
  payee: async ({ world, actor }) => ({ payee: (await anAddedPayee(world, actor)).payeeId }),
  payeeRequest: async ({ world, actor }) => {
    const request = { name: "Tallowwood Timber", email: `accounts@${aDomain(world)}`, phone: null, note: null };
    return { payeeRequest: (await askPayee(world, actor, { request })).requestId };
  },
  whitelistedPayee: async ({ world, actor }) => ({ whitelistedPayee: (await aTrustedPayee(world, actor)).payeeId }),
  verification: async ({ world, actor }) => ({ verification: (await anAddedPayee(world, actor)).verificationId }),
  decidedVerification: async ({ world, actor }) => ({
    decidedVerification: (await aTrustedPayee(world, actor)).verificationId,
  }),
  bulkCheck: async ({ world, actor }) => {
    await anAddedPayee(world, actor);
    const { bulkCheckId } = await countPayeesToCheck(world, actor, { filter: "all", verified: "any", paid: "any" });
    await world.drain();
    return { bulkCheck: bulkCheckId };
  },
  heldPayment: async ({ world, actor }) => {
    const { payeeId } = await anAddedPayee(world, actor);
    return { heldPayment: (await aPayment(world, actor, payeeId)).id };
  },
  authorisedPayment: async ({ world, actor }) => {
    const { payeeId } = await aTrustedPayee(world, actor);
    return { authorisedPayment: (await aPayment(world, actor, payeeId)).id };
  },
  openFile: async (api) => ({ openFile: await aFile(api, "trusted") }),
  invoice: async ({ world, actor }) => ({ invoice: await anInvoice(world, actor) }),
  heldFile: async (api) => ({ heldFile: await aFile(api, "unknown") }),
  clearedFile: async (api) => {
    const fileId = await aFile(api, "trusted");
    await clearFile(api.world, api.actor, { fileId });
    return { clearedFile: fileId };
  },
  import: async ({ world, actor }) => ({
    import: (await anUpload(world, actor, aTable("Kestrel,Kestrel,062-000,40000001"))).importId,
  }),
  alert: async ({ world, actor }) => {
    const id = world.ids.next();
    await world.db.insert(alerts).values({
      ...{ id, auditId: id, userId: actor.userId, organizationId: actor.organizationId, createdAt: world.clock.now() },
      ...{ event: "payment_held", title: "A payment is held", body: "It needs a decision.", inApp: true },
    });
    return { alert: id };
  },
  endpoint: anEndpoint,
  endedDelivery: async (api) => {
    const { endpoint = "" } = await anEndpoint(api);
    await sendTestEvent(api.world, api.actor, endpoint);
    await api.world.drain();
    const [delivery] = (await listDeliveries(api.world, api.actor, { endpointId: endpoint })).rows;
    return { endedDelivery: delivery?.id ?? "" };
  },
  linkToken: aLink,
  email: anAccount,
  newEmail: async ({ world }) => ({ newEmail: `sam.tran@${aDomain(world)}` }),
  domain: async ({ world, actor }) => {
    const domain = aDomain(world);
    await claims(world, actor.organizationId, domain);
    return { domain };
  },
  joinableOrganization: async ({ world, actor }) => {
    const { id } = await anOrganization(world, { name: "Harbour Joinery" });
    await belongs(world, actor.userId, id, "member");
    return { joinableOrganization: id };
  },
  resetToken: async ({ world, actor }) => {
    const token = world.ids.secret();
    const now = world.clock.now();
    await world.db.insert(tokens).values({
      id: world.ids.next(),
      kind: "password_reset",
      tokenHash: await world.secrets.hashToken(token),
      userId: actor.userId,
      email: actor.email,
      createdAt: now,
      expiresAt: now + HOUR_MS,
    });
    return { resetToken: token };
  },
};

/** Entries for every list, so that no response is an empty page. */
export async function addRowsForLists({ world, actor }: Api): Promise<void> {
  const { payeeId } = await anAddedPayee(world, actor);
  await aPayment(world, actor, payeeId);
  await anUploadedFile(world, actor, [details()]);
  await anInvoice(world, actor);
}

/** Replaces the ids in the example by those of real rows. */
export async function withRealIds(api: Api, { path, query, json, file }: Example): Promise<Sent> {
  if (path?.system === "xero") await connectXero(api.world, api.actor);
  let text = JSON.stringify({ path, query, json, file });
  for (const [name, maker] of Object.entries(MAKERS)) {
    if (!text.includes(`"${EXAMPLE[name as ExampleName]}"`)) continue;
    const found = await maker(api);
    for (const [each, value] of Object.entries(found)) text = text.replaceAll(EXAMPLE[each as ExampleName], value);
  }
  return JSON.parse(text) as Sent;
}
