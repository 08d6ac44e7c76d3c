import { bankChecks, columnsOf, invoiceSettings, passkeys, payees, sessions, verifications } from "@db/database";
import type { StatementMeta } from "@db/guarded-d1";
import { type GrantedAccount, grantStatements } from "@db/seed/grant-super-admin.mjs";
import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import * as z from "zod";
import { readJson, readUpload } from "~/http/body.server";
import { json } from "~/http/responses.server";
import { DAY_MS } from "~/kernel/dates";
import { readBytes } from "~/modules/core/operations/figures.server";
import { MAX_FILE_BYTES } from "~/modules/payees/bsb-updates/directory-change";
import { loadDirectory } from "~/modules/payees/bsb-updates/load-directory.server";
import type { Services } from "~/services-and-actor";
import { receiveEmail } from "../email";
import { isSchedule, runSchedule } from "../schedules";
import { EXAMPLE_DAYS, makeExample } from "./example";
import { ensureOrganization, ensurePerson, makeFixtures } from "./fixtures";

/** Endpoints of a developer's machine and of tests, by path. A deployed app does not have them. */
const ENDPOINTS: Record<string, (request: Request, url: URL, services: Services) => Promise<Response>> = {
  "/__scheduled": runOne,
  "/__local/scheduled": runOne,
  "/__local/admin-grant": grantSuperAdmin,
  "/__local/bank-checks": tellBankCheck,
  "/__local/bsb-directory": loadBsbDirectory,
  "/__local/email": receiveLocalEmail,
  "/__local/invoice-address": tellInvoiceAddress,
  "/__local/count-passkeys": countPasskeys,
  "/__local/meter": tellMeter,
  "/__local/seed": seedDemo,
  "/__local/fixtures": makeFixtures,
};

/** While the example is made, past days look like work that is late. */
let isExampleBeingMade = false;

/** Runs a schedule now. */
async function runOne(_request: Request, url: URL, services: Services): Promise<Response> {
  const cron = url.searchParams.get("cron") ?? "";
  if (!isSchedule(cron)) return new Response("no such schedule\n", { status: 404 });
  if (isExampleBeingMade) return new Response("not while the example is made\n");
  await runSchedule(cron, services);
  return new Response("done\n");
}

/** Answers a local endpoint, or returns undefined if the request is for the app. */
export async function answerLocally(request: Request, services: Services): Promise<Response | undefined> {
  if (services.config.appEnv === "production") return undefined;
  const url = new URL(request.url);
  // Cookies and origins are bound to one host name, so a person who typed "localhost" is redirected to APP_ORIGIN.
  if (
    url.hostname === "localhost" &&
    url.origin !== services.config.appOrigin &&
    request.headers.get("Sec-Fetch-Mode") === "navigate" &&
    request.method === "GET"
  ) {
    return Response.redirect(new URL(url.pathname + url.search, services.config.appOrigin), 302);
  }
  const endpoint =
    ENDPOINTS[url.pathname] ?? (url.pathname.startsWith("/__local/bank-checks/") ? tellBankCheck : undefined);
  return endpoint?.(request, url, services);
}

/** Tells the bank simulator which verification a provider's user is of: the provider's API does not carry that. */
async function tellBankCheck(_request: Request, url: URL, { db }: Services): Promise<Response> {
  const verificationId = url.pathname.split("/")[3];
  const providerUserId = url.searchParams.get("providerUserId");
  if (!verificationId && !providerUserId)
    return json({ message: "Say which verification or provider user." }, { status: 400 });
  const [row] = await db
    .select({
      verificationId: verifications.id,
      providerUserId: bankChecks.providerUserId,
      submitted: columnsOf(verifications, "accountName", "bsb", "accountNumber"),
      payee: { name: payees.name, abn: payees.abn },
    })
    .from(verifications)
    .innerJoin(payees, eq(payees.id, verifications.payeeId))
    .leftJoin(bankChecks, eq(bankChecks.verificationId, verifications.id))
    .where(
      and(
        verificationId ? eq(verifications.id, verificationId) : undefined,
        providerUserId ? eq(bankChecks.providerUserId, providerUserId) : undefined,
      ),
    )
    .orderBy(desc(bankChecks.id))
    .limit(1);
  return row ? json({ ...row, state: null }) : json({ message: "Not found" }, { status: 404 });
}

/** Does what `npm run admin:grant` does to a deployed database, with the same statements. */
async function grantSuperAdmin(request: Request, _url: URL, { db, ids, clock }: Services): Promise<Response> {
  const { email } = await readJson(request, z.object({ email: z.string() }));
  const [entry = "", grant = "", look = ""] = grantStatements(email, { id: ids.next(), now: clock.now() });
  await db.batch([db.run(sql.raw(entry)), db.run(sql.raw(grant))]);
  const [account] = await db.all<GrantedAccount>(sql.raw(look));
  return json({ account });
}

/** Makes a person's passkeys effective, as if they had been added a day ago. */
async function countPasskeys(request: Request, _url: URL, { db }: Services): Promise<Response> {
  const { email } = await readJson(request, z.object({ email: z.string() }));
  const ofThem = sql`(SELECT "id" FROM "users" WHERE "email" = ${email})`;
  await db.batch([
    db.update(passkeys).set({ countsFrom: 0 }).where(eq(passkeys.userId, ofThem)),
    db.update(sessions).set({ passkeyCountsFrom: 0 }).where(eq(sessions.userId, ofThem)),
  ]);
  return json({});
}

/** Delivers an email to the app as the platform does: `?from=&to=` is the envelope, the body is the raw message. */
async function receiveLocalEmail(request: Request, url: URL, services: Services): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  let rejected: string | null = null;
  await receiveEmail(
    {
      from: url.searchParams.get("from") ?? "",
      to: url.searchParams.get("to") ?? "",
      raw: new Blob([bytes]).stream(),
      rawSize: bytes.length,
      setReject: (reason) => {
        rejected = reason;
      },
    },
    services,
  );
  return json({ rejected });
}

/** Tells the simulators the invoice address, and a verified payee to send from. */
async function tellInvoiceAddress(_request: Request, _url: URL, { db, config }: Services): Promise<Response> {
  const [box] = await db
    .select({ organizationId: invoiceSettings.organizationId, mailKey: invoiceSettings.mailKey })
    .from(invoiceSettings)
    .where(isNotNull(invoiceSettings.mailKey))
    .limit(1);
  if (!box || config.invoiceMailDomain === undefined) return json({ address: null, payee: null });
  const [payee] = await db
    .select(columnsOf(payees, "name", "accountName", "bsb", "accountNumber", "email"))
    .from(payees)
    .innerJoin(verifications, and(eq(verifications.payeeId, payees.id), eq(verifications.status, "verified")))
    .where(and(eq(payees.organizationId, box.organizationId), isNotNull(payees.email)))
    .orderBy(desc(payees.id))
    .limit(1);
  return json({ address: `${box.mailKey}@${config.invoiceMailDomain}`, payee: payee ?? null });
}

/** Puts a file of the BSB directory into use, as the administration page does after its preview. */
async function loadBsbDirectory(request: Request, _url: URL, services: Services): Promise<Response> {
  const origin = { ipAddress: null, userAgent: null, requestId: services.ids.next() };
  const file = await readUpload(request, MAX_FILE_BYTES);
  const { rowCount } = await loadDirectory(services, { userId: null, origin }, file);
  return json({ loaded: rowCount });
}

const NOTHING = {
  statements: 0,
  rowsRead: 0,
  rowsWritten: 0,
  messages: 0,
  notesWritten: 0,
  notesRead: 0,
  notesListed: 0,
};
/** Platform operations since the last report. Counted only with D1_METER=1, for the benchmarks. */
const total = { ...NOTHING };
/** Rows written, by the SQL that wrote them. */
const written = new Map<string, number>();

export function meterStatement(sql: string, meta: StatementMeta): void {
  total.statements += 1;
  total.rowsRead += meta.rowsRead;
  total.rowsWritten += meta.rowsWritten;
  if (meta.rowsWritten > 0) written.set(sql, (written.get(sql) ?? 0) + meta.rowsWritten);
}

/** The same services, counting operations on queues and notes. */
export function meterServices(services: Services): Services {
  const { queues, notes } = services;
  return {
    ...services,
    queues: {
      send(queue, jobIds, delaySeconds) {
        total.messages += jobIds.length;
        return queues.send(queue, jobIds, delaySeconds);
      },
    },
    notes: {
      read(key) {
        total.notesRead += 1;
        return notes.read(key);
      },
      write(key, value, keptSeconds) {
        total.notesWritten += 1;
        return notes.write(key, value, keptSeconds);
      },
      list(prefix, cursor) {
        total.notesListed += 1;
        return notes.list(prefix, cursor);
      },
    },
  };
}

/** Reports the totals and the size of the database, and resets the counters. */
async function tellMeter(_request: Request, _url: URL, { db }: Services): Promise<Response> {
  const answer = { ...total, written: Object.fromEntries(written) };
  const bytes = await readBytes(db);
  Object.assign(total, NOTHING);
  written.clear();
  return json({ ...answer, bytes });
}

const PEOPLE = [
  { email: "alex@harbour.example", firstName: "Alex", lastName: "Marsh", role: "admin" },
  { email: "sam@harbour.example", firstName: "Sam", lastName: "Iyer", role: "member" },
  { email: "ros@harbour.example", firstName: "Ros", lastName: "Kemp", role: "read_only" },
] as const;

/** Creates the demo organisation and its people, once, and its history on request; returns whom to sign in as. */
async function seedDemo(request: Request, _url: URL, services: Services): Promise<Response> {
  const body = z.object({ password: z.string().min(8), example: z.boolean().default(false) });
  const { password, example } = await readJson(request, body);
  const began = { ...services, clock: { now: () => services.clock.now() - EXAMPLE_DAYS * DAY_MS } };
  const organization = await ensureOrganization(example ? began : services, {
    name: "Harbour Joinery Pty Ltd",
    domain: "harbour.example",
  });
  const passwordHash = await services.passwords.hash(password);
  for (const person of PEOPLE) await ensurePerson(services, { ...person, organization }, passwordHash);
  const own = eq(payees.organizationId, organization.id);
  const [known] = await services.db.select({ id: payees.id }).from(payees).where(own).limit(1);
  if (example && !known) {
    isExampleBeingMade = true;
    await makeExample(services).finally(() => {
      isExampleBeingMade = false;
    });
  }
  return json({ organization: organization.name, people: PEOPLE.map(({ email, role }) => ({ email, role })) });
}
