import { domainAnswers, organizationDomains, outbox, subjectWatches, walkCursors } from "@db/database";
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { createDomainRecords } from "~/adapters/dns/dns-over-https";
import { createRdap } from "~/adapters/domain-registry/rdap";
import { routeOf } from "~/api/calls.server";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { readPayeePage } from "~/modules/payees/payee-page.server";
import { tellConcerns, watchPayees } from "~/modules/payees/tell-of-concerns.server";
import { loader as verificationLoader } from "~/routes/_app+/verifications.$id";
import type { Actor } from "~/services-and-actor";
import { anAbn } from "../../../tests/support/abns";
import { aMember } from "../../../tests/support/factories";
import { aFinishedImport } from "../../../tests/support/imports";
import { alertsAbout, anAddedPayee, peek } from "../../../tests/support/payees";
import { aPaidPayment, aPayment, aTrustedPayee, readPayment } from "../../../tests/support/payments";
import { routeArgs } from "../../../tests/support/requests";
import { aWorld, type World } from "../../../tests/support/simulators";
import { SIMULATORS_ORIGIN } from "../../../tests/support/test-env";
import { lookUpDomainSoon, lookUpDomains, queueDueDomains } from "./email-domain.server";
import { lookUpAbn } from "./register.server";

const payeeCall = routeOf("/api/payees/{id}");

/** All tests share one database, but each has its own clock. */
beforeEach(async () => {
  await peek.delete(outbox).where(eq(outbox.kind, "domain_lookup"));
  await peek.delete(domainAnswers);
});

let names = 0;
const aDomain = (label = "supplier", ending = "example") => `${label}-${++names}.${ending}`;
const at = (domain: string) => `accounts@${domain}`;

const say = (world: World, path: string, body: object) =>
  world.ask(new Request(`${SIMULATORS_ORIGIN}${path}`, { method: "POST", body: JSON.stringify(body) }));
const hasDmarc = (world: World, domain: string, ...data: string[]) =>
  say(world, "/dns/records", { name: `_dmarc.${domain}`, type: "TXT", data });

/** Runs the job of each party once, as the queue would, including other tests' requests. */
async function deliver(world: World): Promise<boolean> {
  const waiting = await peek
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.kind, "domain_lookup"), eq(outbox.status, "pending")));
  let isDone = false;
  for (const { id } of waiting) {
    const job = await claimJob(world, id);
    if (job) await lookUpDomains(world, job);
    isDone ||= job !== undefined;
  }
  return isDone;
}

async function deliverAll(world: World) {
  while (await deliver(world)) world.clock.advance(6_000);
}

const rowsOf = async (domain: string) => {
  const rows = await peek.select().from(domainAnswers).where(eq(domainAnswers.domain, domain));
  return { dns: rows.find(({ party }) => party === "dns"), rdap: rows.find(({ party }) => party === "rdap") };
};

const domainOnPage = async (world: World, actor: Actor, payeeId: string) => {
  const { domain } = await readPayeePage(world, actor, payeeId);
  if (!domain) throw new Error("no domain on the page");
  const said = (term: string) => domain.facts.find((fact) => fact.term === term)?.value;
  return { ...domain, said };
};

const calls = async (world: World, domain: string) => {
  const answer = await world.visit("/ledger.json?party=rdap");
  const ledger = (await answer.json()) as { path: string }[];
  return ledger.filter(({ path }) => path.endsWith(`/domain/${domain}`) && !path.includes("registry")).length;
};

test("what is public about a payee's email domain is looked up once for all organisations, and stands on its pages and in the API", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const domain = aDomain();
  const { payeeId, verificationId } = await anAddedPayee(world, actor, { email: at(domain) });
  await anAddedPayee(world, await aMember(world), { email: at(domain) });
  expect(await domainOnPage(world, actor, payeeId)).toMatchObject({
    summary: "registration not known, DMARC not known",
    concerns: [],
  });
  await deliverAll(world);
  expect(await calls(world, domain)).toBe(1);
  const shown = await domainOnPage(world, actor, payeeId);
  expect(shown.summary).toMatch(/^registered 14 years ago, DMARC quarantine$/);
  expect(shown.said("Registered")).toBe("14 Mar 2012, 14 years ago");
  expect(shown.facts.find(({ term }) => term === "DMARC")?.note).toMatch(/^Looked up on /);
  const review = await verificationLoader(
    await routeArgs(world, actor, `/verifications/${verificationId}`, { id: verificationId }),
  );
  expect(review.view.domain?.summary).toBe(shown.summary);
  const called = await payeeCall.loader(await routeArgs(world, actor, `/api/payees/${payeeId}`, { id: payeeId }));
  expect(await called.json()).toMatchObject({
    emailDomain: {
      domain,
      isFreeMail: false,
      registration: { state: "registered", registeredAt: "2012-03-14T04:21:09.000Z" },
      dmarc: { state: "policy", policy: "quarantine", percent: 100 },
      takesEmail: "hosts",
      concerns: [],
    },
  });
});

test("a resolver and a registry are told a domain and nothing else", async () => {
  const world = aWorld();
  const domain = aDomain();
  await anAddedPayee(world, await aMember(world), { name: "Secret Supplier", email: `jo.doe@mail.${domain}` });
  await deliverAll(Object.assign(Object.create(world), { domainRecords: undefined, domainRegistry: undefined }));
  const told: string[] = [];
  const fetch = async (request: Request) => {
    const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
    told.push(
      [request.method, request.url.replace(SIMULATORS_ORIGIN, ""), ...headers, await request.clone().text()]
        .join("\n")
        .trim(),
    );
    return world.ask(request);
  };
  const { clock } = world;
  const watched: World = Object.assign(Object.create(world), {
    domainRecords: createDomainRecords({ resolverUrl: `${SIMULATORS_ORIGIN}/dns/query`, fetch, clock }),
    domainRegistry: createRdap({ baseUrl: `${SIMULATORS_ORIGIN}/rdap`, fetch, clock }),
  });
  await queueDueDomains(watched);
  await deliverAll(watched);
  const dns = (name: string, type: string) => `GET\n/dns/query?name=${name}&type=${type}\naccept: application/dns-json`;
  const rdap = (path: string) => `GET\n/rdap${path}\naccept: application/rdap+json, application/json`;
  expect(told.filter((each) => each.includes(domain)).sort()).toEqual(
    [
      dns(`_dmarc.mail.${domain}`, "TXT"),
      dns(`_dmarc.${domain}`, "TXT"),
      dns(`mail.${domain}`, "MX"),
      rdap(`/domain/${domain}`),
      rdap(`/registry/domain/${domain}`),
    ].sort(),
  );
  expect(told.join("\n")).not.toMatch(/secret|jo\.doe/i);
});

test("of a sender whom nobody knows the parties are asked at once, and once", async () => {
  const world = aWorld();
  const domain = aDomain("sender");
  await hasDmarc(world, domain, "v=DMARC1; p=reject");
  const first = await lookUpDomainSoon(world, at(domain), 10_000);
  expect(first.dns?.said?.dmarc).toMatchObject({ state: "policy", policy: "reject" });
  expect(first.rdap?.said).not.toBeNull();
  expect(await lookUpDomainSoon(world, at(domain), 10_000)).toEqual(first);
  await deliverAll(world);
  expect(await calls(world, domain)).toBe(1);
});

test("what a sender's domain does not answer in time is left to the queue", async () => {
  const world = aWorld();
  const domain = aDomain("slow");
  const silent = { findRegistration: () => new Promise<never>(() => {}) };
  const waiting: World = Object.assign(Object.create(world), { domainRegistry: silent });
  expect(await lookUpDomainSoon(waiting, at(domain), 50)).toMatchObject({ rdap: { said: null } });
  await deliverAll(world);
  expect((await rowsOf(domain)).rdap?.registration).not.toBeNull();
});

test.each([
  ["v=DMARC1; p=reject; psd=n", "unit", "reject"],
  ["v=DMARC1; p=reject", "", "none"],
])("the policy of a domain without one is that of its organisation: %s", async (record, of, policy) => {
  const world = aWorld();
  const domain = aDomain("walk");
  await hasDmarc(world, `unit.${domain}`, record);
  await hasDmarc(world, domain, "v=DMARC1; p=none");
  const { dns } = await lookUpDomainSoon(world, at(`mail.unit.${domain}`), 10_000);
  expect(dns?.said?.dmarc).toMatchObject({ state: "policy", policy, of: of ? `${of}.${domain}` : domain });
});

test("one job asks a party, whatever is added while it works or waits, and no domain is asked about twice", async () => {
  const world = aWorld();
  await deliverAll(world);
  const actor = await aMember(world);
  const domains = Array.from({ length: 12 }, () => aDomain("many"));
  const pending = async () => {
    const jobs = await peek
      .select({ party: outbox.subjectId })
      .from(outbox)
      .where(and(eq(outbox.kind, "domain_lookup"), eq(outbox.status, "pending")));
    return jobs.map(({ party }) => party).sort();
  };
  for (const [at12, domain] of domains.entries()) {
    await anAddedPayee(world, actor, { email: at(domain) });
    if (at12 % 5 === 0) await deliver(world);
  }
  expect(await pending()).toEqual(["dns", "rdap"]);
  await deliverAll(world);
  expect(await pending()).toEqual([]);
  // A cron run finds what was added just as the job ended.
  await queueDueDomains(world);
  await deliverAll(world);
  for (const domain of domains) expect(await calls(world, domain)).toBe(1);
});

test("a domain that the payee moves to is looked up; an address at a free-mail provider is not", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const { payeeId } = await anAddedPayee(world, actor, { email: at("gmail.com") });
  expect((await rowsOf("gmail.com")).dns).toBeUndefined();
  expect((await domainOnPage(world, actor, payeeId)).facts).toEqual([
    { term: "Kind", value: "Free-mail: anyone can have an address there" },
  ]);
  const domain = aDomain("new");
  await editPayee(world, actor, { payeeId, patch: { email: at(domain) } });
  await deliverAll(world);
  expect((await domainOnPage(world, actor, payeeId)).concerns).toEqual(["The domain was registered 12 days ago."]);
});

test("payees of a file are looked up too, each domain once, and below it for the domain that was registered", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const domain = aDomain("imported", "com.au");
  const table = [
    "Name,Account name,BSB,Account number,ABN,Email",
    `Wattle Creek,Wattle Creek,062-000,53014081,,a@${domain}`,
    `Kestrel,Kestrel,062-000,53014082,,b@mail.${domain}`,
  ];
  await aFinishedImport(world, actor, table.join("\n"));
  await deliverAll(world);
  const { dns, rdap } = await rowsOf(domain);
  expect(dns?.mail?.dmarc).toMatchObject({ state: "policy", of: domain });
  // The .au registry does not give a registration date.
  expect(rdap?.registration).toEqual({ state: "registered", registeredAt: null });
  const below = await rowsOf(`mail.${domain}`);
  expect(below.dns?.mail?.dmarc).toMatchObject({ state: "policy", of: domain });
  expect(below.rdap).toBeUndefined();
});

test("without a party the page says that nobody is asked, and the other one is", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const { payeeId } = await anAddedPayee(world, actor, { email: at(aDomain()) });
  const without: World = Object.assign(Object.create(world), { domainRegistry: undefined });
  await deliverAll(without);
  const shown = await domainOnPage(without, actor, payeeId);
  expect(shown.said("Registered")).toBe("Not looked up: lookups are not set up here");
  expect(shown.said("DMARC")).toMatch(/^Quarantine: /);
});

test("a registry that is down holds up nothing else, is asked again, and what it said before stands meanwhile", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const domain = aDomain();
  const { payeeId } = await anAddedPayee(world, actor, { email: at(domain) });
  await world.fault({ party: "rdap", fault: "503", times: 9, path: domain });
  await deliverAll(world);
  const shown = await domainOnPage(world, actor, payeeId);
  expect(shown.said("Registered")).toMatch(/^Could not be looked up: no answer, last on /);
  expect(shown.summary).toBe("registration not known, DMARC quarantine");
  expect((await rowsOf(domain)).rdap).toMatchObject({ attempts: 1, fetchedAt: null });
  await world.clearFaults();
  world.clock.advance(5 * MINUTE_MS);
  await queueDueDomains(world);
  await deliverAll(world);
  expect((await rowsOf(domain)).rdap).toMatchObject({
    attempts: 0,
    failedAt: null,
    registration: { state: "registered" },
  });
  await world.fault({ party: "rdap", fault: "malformed", times: 1, path: domain });
  world.clock.advance(36 * DAY_MS);
  await queueDueDomains(world);
  await deliverAll(world);
  const after = await domainOnPage(world, actor, payeeId);
  expect(after.said("Registered")).toMatch(/^14 Mar 2012/);
  expect(after.facts[0]?.note).toMatch(/^Looked up on .*\. Asked again on .*, without an answer\.$/);
});

test("after five tries without an answer nobody asks for some weeks", async () => {
  const world = aWorld();
  const domain = aDomain();
  await anAddedPayee(world, await aMember(world), { email: at(domain) });
  await world.fault({ party: "dns", fault: "503", times: 99, path: "query" });
  for (let tries = 0; tries < 7; tries++) {
    await deliverAll(world);
    world.clock.advance(6 * HOUR_MS);
    await queueDueDomains(world);
  }
  const { dns } = await rowsOf(domain);
  expect(dns).toMatchObject({ attempts: 0, fetchedAt: null });
  expect((dns?.wantedAt ?? 0) - world.clock.now()).toBeGreaterThan(20 * DAY_MS);
});

test("who is asked too often is not asked before its time has passed, and no try is counted", async () => {
  const world = aWorld();
  await deliverAll(world);
  const domain = aDomain();
  await anAddedPayee(world, await aMember(world), { email: at(domain) });
  await world.fault({ party: "rdap", fault: "429", times: 1, retryAfter: 40 });
  await deliver(world);
  expect((await rowsOf(domain)).rdap).toMatchObject({ attempts: 0, fetchedAt: null, failedAt: null });
  world.clock.advance(39_000);
  await deliver(world);
  expect((await rowsOf(domain)).rdap?.fetchedAt).toBeNull();
  world.clock.advance(2_000);
  await deliver(world);
  expect((await rowsOf(domain)).rdap?.registration).toMatchObject({ state: "registered" });
});

test("each domain is looked up again about once a month, on different days", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const domains = Array.from({ length: 6 }, () => aDomain("monthly"));
  for (const domain of domains) await anAddedPayee(world, actor, { email: at(domain) });
  await deliverAll(world);
  const rows = await peek.select().from(domainAnswers).where(inArray(domainAnswers.domain, domains));
  const waits = rows.map(({ wantedAt, fetchedAt }) => (wantedAt - (fetchedAt ?? 0)) / DAY_MS);
  for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(25);
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(35);
  expect(new Set(waits.map((wait) => wait.toFixed(3))).size).toBe(domains.length);
  world.clock.advance(35 * DAY_MS);
  await queueDueDomains(world);
  await deliverAll(world);
  for (const domain of domains) expect(await calls(world, domain)).toBe(2);
});

/** Repeats until nothing is left to report, because tests share one database and what others left comes first. */
async function tellAll(world: Parameters<typeof tellConcerns>[0]): Promise<void> {
  const left = () => peek.$count(subjectWatches, isNotNull(subjectWatches.newsAt));
  while ((await left()) > 0) await tellConcerns(world);
}

test("a new domain, one that nobody registered, a policy that is gone and a cancelled ABN are told once each", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const [fresh, kept, gone] = [aDomain("new"), aDomain(), aDomain("unregistered")];
  const abn = anAbn();
  await say(world, "/abr/entities", { abn, entityName: "WATTLE CREEK ELECTRICAL PTY LTD" });
  await anAddedPayee(world, actor, { name: "Fresh", email: at(fresh) });
  await anAddedPayee(world, actor, { name: "Gone", email: at(gone) });
  const { payeeId } = await anAddedPayee(world, actor, { name: "Kept", email: at(kept), abn });
  await lookUpAbn(world, abn);
  const tell = async () => {
    await deliverAll(world);
    await tellAll(world);
    return (await alertsAbout(world, actor.organizationId, "payee_concern")).map(({ title }) => title).sort();
  };
  expect(await tell()).toEqual(["Email domain not registered: Gone", "New email domain: Fresh"]);
  await hasDmarc(world, kept);
  await say(world, "/abr/entities", { abn, entityName: "WATTLE CREEK", status: "Cancelled", since: "2026-11-01" });
  world.clock.advance(36 * DAY_MS);
  await queueDueDomains(world);
  await lookUpAbn(world, abn);
  const all = [
    "ABN cancelled: Kept",
    "Email domain not registered: Gone",
    "Email domain without DMARC: Kept",
    "New email domain: Fresh",
  ];
  expect(await tell()).toEqual(all);
  const [{ body } = { body: "" }] = (await alertsAbout(world, actor.organizationId, "payee_concern")).filter(
    ({ title }) => title.startsWith("ABN"),
  );
  expect(body).toMatch(/^The business register says so, since 1 Nov 2026\./);
  world.clock.advance(36 * DAY_MS);
  await queueDueDomains(world);
  expect(await tell()).toEqual(all);
  const { timeline, domain } = await readPayeePage(world, actor, payeeId);
  expect(timeline.filter(({ action }) => action === "payee.concern_found")).toHaveLength(2);
  expect(domain?.concerns[0]).toMatch(/^The domain had a DMARC policy, last seen on .*, and has none now\.$/);
  // The policy comes back and disappears again, which is reported again.
  await hasDmarc(world, kept, '"v=DMARC1; p=reject"');
  world.clock.advance(36 * DAY_MS);
  await queueDueDomains(world);
  expect(await tell()).toEqual(all);
  await hasDmarc(world, kept);
  world.clock.advance(36 * DAY_MS);
  await queueDueDomains(world);
  expect((await tell()).filter((title) => title.startsWith("Email domain without"))).toHaveLength(2);
});

test("an organisation whose payee has a domain that was looked up for others is told as well, and others are not", async () => {
  const world = aWorld();
  const [first, second, third] = [await aMember(world), await aMember(world), await aMember(world)];
  const domain = aDomain("new");
  await anAddedPayee(world, first, { email: at(domain) });
  await deliverAll(world);
  await tellAll(world);
  await anAddedPayee(world, second, { email: at(domain) });
  await anAddedPayee(world, third, { email: at(aDomain()) });
  await deliverAll(world);
  await tellAll(world);
  for (const { organizationId } of [first, second])
    expect(await alertsAbout(world, organizationId, "payee_concern")).toHaveLength(1);
  expect(await alertsAbout(world, third.organizationId, "payee_concern")).toEqual([]);
});

test("payees from before anything was looked up are watched and asked about within days, each with the day it was added", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const domain = aDomain();
  const { payeeId } = await anAddedPayee(world, actor, { email: at(domain) });
  const addedAt = world.clock.now();
  await peek.delete(domainAnswers).where(eq(domainAnswers.domain, domain));
  await peek.delete(subjectWatches).where(eq(subjectWatches.organizationId, actor.organizationId));
  world.clock.advance(60 * DAY_MS);
  // Other tests with different clocks move this cursor too, because they share one database.
  await peek.delete(walkCursors).where(eq(walkCursors.name, "payees_watched"));
  while ((await watchPayees(world)) > 0);
  const { dns, rdap } = await rowsOf(domain);
  expect([dns?.fetchedAt, rdap?.fetchedAt]).toEqual([null, null]);
  expect((dns?.wantedAt ?? 0) - world.clock.now()).toBeLessThan(3 * DAY_MS);
  world.clock.advance(3 * DAY_MS);
  await queueDueDomains(world);
  await deliverAll(world);
  const shown = await domainOnPage(world, actor, payeeId);
  expect(shown.said("DMARC")).toMatch(/^Quarantine/);
  const [watch] = await peek.select().from(subjectWatches).where(eq(subjectWatches.subject, domain));
  expect(watch).toMatchObject({ organizationId: actor.organizationId, firstSeenAt: addedAt });
});

test("a domain that looks like one that is paid, or like the organisation's own, is said on the payee's page", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const { payeeId: paid } = await aTrustedPayee(world, actor, { email: "a@kestrelfreight.example" });
  const { payeeId } = await anAddedPayee(world, actor, { email: "a@kestre1freight.example" });
  expect((await domainOnPage(world, actor, payeeId)).concerns).toEqual([]);
  await aPaidPayment(world, actor, paid);
  const said = ["It is easily mistaken for kestrelfreight.example."];
  expect((await domainOnPage(world, actor, payeeId)).concerns).toEqual(said);
  await peek.insert(organizationDomains).values({
    id: world.ids.next(),
    organizationId: actor.organizationId,
    domain: "harbourjoinery.example",
    createdAt: world.clock.now(),
    updatedAt: world.clock.now(),
  });
  const own = await anAddedPayee(world, actor, { email: "a@harbourjoinary.example" });
  expect((await domainOnPage(world, actor, own.payeeId)).concerns).toEqual([
    "It is easily mistaken for harbourjoinery.example.",
  ]);
});

test("who holds a domain of .au is compared with the payee's ABN, on its page and in the API", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const domain = aDomain("holder", "com.au");
  await say(world, "/rdap/domains", { domain, registrant: { name: "OTHER PTY LTD", id: "ABN 53 004 085 616" } });
  const mine = await anAddedPayee(world, actor, { email: at(domain), abn: "51824753556" });
  const theirs = await anAddedPayee(world, actor, { email: at(domain), abn: "53004085616" });
  await deliverAll(world);
  const shown = await domainOnPage(world, actor, mine.payeeId);
  expect(shown.said("Holder")).toBe("OTHER PTY LTD, ABN 53 004 085 616");
  expect(shown.concerns).toEqual(["The .au registry names a holder of this domain with another ABN."]);
  expect((await domainOnPage(world, actor, theirs.payeeId)).concerns).toEqual([]);
  const called = await payeeCall.loader(
    await routeArgs(world, actor, `/api/payees/${mine.payeeId}`, { id: mine.payeeId }),
  );
  expect(await called.json()).toMatchObject({
    emailDomain: {
      registration: { registrant: { name: "OTHER PTY LTD", number: "53004085616" } },
      concerns: ["domain_of_other_abn"],
    },
  });
});

test("payments to a payee with a new domain carry the warning, with what was known then", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const { payeeId } = await aTrustedPayee(world, actor, { email: at(aDomain("new")) });
  const before = await readPayment((await aPayment(world, actor, payeeId)).id);
  await deliverAll(world);
  const after = await readPayment((await aPayment(world, actor, payeeId)).id);
  const rulesOf = ({ reasons }: typeof after) => reasons.map(({ rule, level }) => `${rule} ${level}`);
  expect(rulesOf(before)).not.toContain("domain_new warn");
  expect(rulesOf(after)).toContain("domain_new warn");
});
