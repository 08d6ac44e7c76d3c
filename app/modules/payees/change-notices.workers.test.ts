import { outbox } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import type { Services } from "~/services";
import { aMember } from "../../../tests/support/factories";
import { anAddedPayee, peek, promisedMails } from "../../../tests/support/payees";
import { testServices } from "../../../tests/support/services";
import { editPayee } from "./edit-payee.commands.server";

const REAL = { email: "accounts@wattlecreek.example", phone: "+61412345678" };
const CRIMINAL = { email: "accounts@wattle-creek.example", phone: "+61491570156" };

async function told(services: Services, organizationId: string, template: string) {
  const mails = await promisedMails(services, organizationId);
  return mails.flatMap(({ to, template: name }) => (name === template ? [to] : [])).sort();
}

async function texts({ secrets }: Services, organizationId: string) {
  const isText = and(eq(outbox.organizationId, organizationId), eq(outbox.kind, "sms"));
  const jobs = await peek.select().from(outbox).where(isText);
  return Promise.all(
    jobs.map(
      async (job) => JSON.parse(await secrets.open(job.sealedPayload ?? "", job.id)) as { to: string; body: string },
    ),
  );
}

test("contact changed first, bank details second: the real payee is told both times, by email and by text", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor, REAL);

  await editPayee(services, actor, { payeeId, patch: CRIMINAL });
  expect(await told(services, actor.organizationId, "payeeContactChanged")).toEqual([REAL.email]);
  expect((await texts(services, actor.organizationId)).map(({ to }) => to)).toEqual([REAL.phone]);

  services.clock.advance(29 * DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "98765432" } });
  expect(await told(services, actor.organizationId, "payeeDetailsChanged")).toEqual(
    [CRIMINAL.email, REAL.email].sort(),
  );
  const sent = (await texts(services, actor.organizationId)).slice(1);
  expect(sent.map(({ to }) => to).sort()).toEqual([REAL.phone, CRIMINAL.phone].sort());
  expect(sent[0]?.body).toContain("account ending 432");
  expect(JSON.stringify(sent)).not.toContain("98765432");
});

test("who stopped being a contact longer ago is not told", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor, REAL);
  await editPayee(services, actor, { payeeId, patch: { email: "new@wattlecreek.example" } });
  services.clock.advance(31 * DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { bsb: "033001" } });
  expect(await told(services, actor.organizationId, "payeeDetailsChanged")).toEqual(["new@wattlecreek.example"]);
});

test("contact and bank details changed in one edit: the old contact is told of the bank details", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor, REAL);
  await editPayee(services, actor, { payeeId, patch: { ...CRIMINAL, accountNumber: "98765432" } });
  expect(await told(services, actor.organizationId, "payeeDetailsChanged")).toEqual([REAL.email]);
  expect(await told(services, actor.organizationId, "payeeContactChanged")).toEqual([]);
});

test("a first contact, or another address, is told to nobody", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor, { email: null, phone: null });
  await editPayee(services, actor, { payeeId, patch: { email: REAL.email, address: "1 Creek Rd" } });
  expect(await promisedMails(services, actor.organizationId)).toEqual([]);
});
