import { accountingContacts, organizationIntegrations } from "@db/database";
import { expect, test } from "vitest";
import { accountChangeSchema, integrationPostSchema } from "~/modules/connections/integration.server";
import { anOrganization } from "../support/factories";
import { anAddedPayee, peek } from "../support/payees";
import { aPerson, PASSWORD } from "../support/people";
import { testServices } from "../support/services";
import { aBrowser } from "../support/worker";

/** What the forms of a page send, by their buttons, with a word in every field that a person fills in. */
function postsOf(html: string): Record<string, string | string[]>[] {
  const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return html
    .split("<form")
    .slice(1)
    .flatMap((rest) => {
      const form = rest.split("</form>")[0] ?? "";
      const fields = [...form.matchAll(/<(?:input|textarea)[^>]*>/g)].map(([tag]) => tag);
      return [...form.matchAll(/<button[^>]*name="intent"[^>]*>/g)].map(([button]) => {
        const sent = new Map<string, string[]>();
        for (const tag of [...fields, button]) {
          const [name, value] = [attribute(tag, "name"), attribute(tag, "value") || "A word"];
          if (!/type="radio"/.test(tag) || !sent.has(name)) sent.set(name, [...(sent.get(name) ?? []), value]);
        }
        return Object.fromEntries(
          [...sent].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
        );
      });
    });
}

test("every form of the pages of integrations sends what its action reads", async () => {
  const services = testServices({ clock: { now: () => Date.now() } });
  const { id: organizationId, name } = await anOrganization(services);
  const { email, id: userId } = await aPerson(services, { organizationId, role: "admin", membership: "admin" });
  const origin = { ipAddress: null, userAgent: null, requestId: "forms" };
  const actor = {
    ...({} as Parameters<typeof anAddedPayee>[1]),
    userId,
    organizationId,
    organizationName: name,
    origin,
  };
  const { payeeId } = await anAddedPayee(services, actor);
  const now = services.clock.now();
  const connection = {
    id: services.ids.next(),
    organizationId,
    system: "xero" as const,
    createdAt: now,
    updatedAt: now,
  };
  const choices = [{ id: "t1", name: "Books", connectionId: "c1" }];
  await peek.insert(organizationIntegrations).values({ ...connection, status: "choosing", choices });
  await peek.insert(accountingContacts).values({
    organizationId,
    system: "xero",
    contactId: "c1",
    payeeId,
    name: "Wattle Creek",
    state: "linked",
    seenBsb: "063001",
    seenAccountNumber: "99887766",
    noticedAt: now,
    updatedAt: now,
  });
  const browser = aBrowser();
  await browser.submit("/auth", { tab: "login", email, password: PASSWORD });

  const choosing = postsOf(await (await browser.get("/integrations/xero")).text());
  await peek.update(organizationIntegrations).set({ status: "connected", choices: null, notedTo: 1 });
  const connected = postsOf(await (await browser.get("/integrations/xero")).text());
  const read = [...choosing, ...connected].map((post) => integrationPostSchema.parse(post).intent);
  expect(read).toEqual(["disconnect", "choose", "sync", "sync-all", "disconnect", "stop-notes"]);
  const decided = postsOf(await (await browser.get(`/payees/${payeeId}/accounting`)).text());
  expect(decided.map((post) => accountChangeSchema.parse(post).intent)).toEqual(["keep", "use"]);
});
