import { showInstant } from "../control/pages";
import { html, page, seeOther } from "../html";
import { type Party, type SimulatedCall, type SimulatorContext, sleep } from "../party";
import { createRoutes, type Route, route } from "../routes";
import { apiRoutes } from "./api";
import { validAuthLink } from "./auth-links";
import { type Bank, createBank } from "./bank";
import { bankOfBsb, banksFor, connectorName } from "./connectors";
import { basiqFault, notFound } from "./errors";
import { type BankCheck, findBankCheck } from "./find-bank-check";
import { isPersona, PERSONAS } from "./personas";
import { type BasiqState, basiqState } from "./state";
import { createTokens, type Tokens } from "./tokens";
import { createWebhookSender } from "./webhooks";

const SHOWN = 100;

/** What a person can do as the payee's bank, and what it has been asked so far. */
function overviewPage(state: BasiqState): Response {
  const jobs = state.jobs
    .slice(-SHOWN)
    .reverse()
    .map(
      (job) =>
        html`<tr><td>${showInstant(job.createdAt)}</td><td>${job.userId}</td><td>${job.id}</td><td>${job.finishedAt ? job.ending.kind : "running"}</td></tr>`,
    );
  const events = state.events
    .slice(-SHOWN)
    .reverse()
    .map(
      (event) =>
        html`<tr><td>${showInstant(event.createdAt)}</td><td>${event.eventType}</td><td>${event.userId}</td><td><form method="post" action="/basiq/events/${event.id}/resend"><button class="quiet">Send again</button></form></td></tr>`,
    );
  const consents = state.consents
    .slice(-SHOWN)
    .reverse()
    .map(
      ({ id, userId, status, createdAt }) =>
        html`<tr><td>${showInstant(createdAt)}</td><td>${userId}</td><td>${status}</td><td>${status === "active" ? html`<form method="post" action="/basiq/consents/${id}/withdraw"><button class="quiet">Withdraw</button></form>` : ""}</td></tr>`,
    );
  return page(
    "Bank",
    html`<p>A payee gets here from PayeeProof's own page, by <a href="/mail">the link in a mail</a>. To play the payee for a verification without clicking through:</p>
<form method="post" action="/basiq/complete">
<label>Verification id <input name="verificationId" required size="40"></label>
<label>What the bank will say <select name="persona">${Object.entries(PERSONAS).map(([persona, meaning]) => html`<option value="${persona}">${persona}: ${meaning}</option>`)}</select></label>
<button>Complete</button>
</form>
<h2>Consents</h2>
<p class="hint">A payee may withdraw a consent at any time; to have time for it before the check ends, let the bank never finish.</p>
<table><thead><tr><th>At (UTC)</th><th>User</th><th>State</th><th></th></tr></thead><tbody>${consents}</tbody></table>
<h2>Jobs</h2>
<table><thead><tr><th>At (UTC)</th><th>User</th><th>Job</th><th>State</th></tr></thead><tbody>${jobs}</tbody></table>
<h2>Events</h2>
<p class="hint">The app is told of consents, connections and accounts; of users, who come and go by its own calls, only when an event is sent again.</p>
<table><thead><tr><th>At (UTC)</th><th>Event</th><th>User</th><th></th></tr></thead><tbody>${events}</tbody></table>`,
  );
}

const TITLE = "Bank simulator: local only";

/** What a payee clicks through at consent.basiq.io and at the bank: choose a bank, then allow or refuse. */
function consentRoutes(state: BasiqState, context: SimulatorContext, tokens: Tokens, bank: Bank): Route[] {
  const userOf = (token: string) => findUser(state, tokens.clientUser(token));

  async function chooseBank({ url }: SimulatedCall): Promise<Response> {
    const userId = userOf(url.searchParams.get("token") ?? "");
    const known = await findBankCheck(context, { providerUserId: userId });
    const banks = banksFor("check" in known ? known.check.submitted.bsb : "");
    return banksPage(url.searchParams, banks);
  }

  async function askPayee({ url }: SimulatedCall): Promise<Response> {
    const userId = userOf(url.searchParams.get("token") ?? "");
    const bankName = connectorName(url.searchParams.get("institutionId") ?? "");
    if (!bankName) return problem("Choose a bank first.", 400);
    const answer = await findBankCheck(context, { providerUserId: userId });
    if ("problem" in answer) return problem("The app does not know this bank check.", 409);
    return questionPage(url.searchParams, bankName, answer.check.submitted);
  }

  async function decide({ body }: SimulatedCall): Promise<Response> {
    const form = new URLSearchParams(body);
    const userId = userOf(form.get("token") ?? "");
    const persona = form.get("decision") === "refuse" ? "refused" : form.get("persona");
    const institutionId = form.get("institutionId") ?? "";
    if (!isPersona(persona) || !connectorName(institutionId)) return problem("Choose what the bank will say.", 400);
    const answer = await findBankCheck(context, { providerUserId: userId });
    if ("problem" in answer) return problem("The app does not know this bank check.", 409);
    const job = bank.decide({ userId, persona, institutionId, check: answer.check });
    return seeOther(returnAddress(context.appOrigin, job.id, form.get("state") ?? ""));
  }

  return [
    route("GET", "/consent/home", chooseBank),
    route("GET", "/consent/bank", askPayee),
    route("POST", "/consent/decision", decide),
    route("GET", "/connect/:id", (_, { id = "" }) => {
      const link = validAuthLink(state, context.now(), id);
      return link
        ? seeOther(`/basiq/consent/home?token=${tokens.issue("CLIENT_ACCESS", link.userId)}`)
        : problem("This link is no longer available.", 410);
    }),
  ];
}

/** The user a page is for. Throws the page that says that it belongs to no user. */
function findUser(state: BasiqState, userId: string | undefined): string {
  if (userId && Object.hasOwn(state.users, userId)) return userId;
  throw problem("This link has expired. Go back and start again.", 401);
}

function banksPage(query: URLSearchParams, banks: ReturnType<typeof banksFor>): Response {
  return page(
    TITLE,
    html`<p>Choose the bank that holds your account.</p>
<form method="get" action="/basiq/consent/bank">
${hidden(query, ["token", "state"])}
<fieldset><legend>Your bank</legend>
${banks.map(({ id, name }, i) => html`<label><input type="radio" name="institutionId" value="${id}" ${i === 0 ? "checked" : ""}> ${name}</label>`)}
</fieldset>
<button>Continue</button>
</form>`,
  );
}

function questionPage(query: URLSearchParams, bankName: string, submitted: BankCheck["submitted"]): Response {
  return page(
    TITLE,
    html`<p><strong>${bankName}</strong> asks you: share your name and your accounts with PayeeProof?</p>
<p class="hint">The app was told: ${submitted.accountName}, account ending ${submitted.accountNumber.slice(-3)}. No payments and no transactions are shared.</p>
<form method="post" action="/basiq/consent/decision">
${hidden(query, ["token", "state", "institutionId"])}
<fieldset><legend>What the bank will say</legend>
${Object.entries(PERSONAS)
  .filter(([persona]) => persona !== "refused")
  .map(
    ([persona, meaning]) =>
      html`<label><input type="radio" name="persona" value="${persona}" ${persona === "match" ? "checked" : ""}> <strong>${persona}</strong>: ${meaning}</label>`,
  )}
</fieldset>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="refuse" class="quiet">Refuse</button>
</form>`,
  );
}

function hidden(from: URLSearchParams, names: string[]) {
  return names.map((name) => html`<input type="hidden" name="${name}" value="${from.get(name) ?? ""}">`);
}

function problem(sentence: string, status: number): Response {
  return page(TITLE, html`<p role="alert">${sentence}</p>`, status);
}

const TRIES = 40;
const TRY_EVERY_MS = 250;

type Ready = { check: BankCheck; userId: string };
type Refusal = { status: number; message: string };

/**
 * POST /basiq/complete {verificationId, persona, institutionId?}: does for a script what a payee does by clicking through
 * the bank; the bank is that of the BSB where none is named.
 *
 * Waits up to ten seconds for the app to create the provider's user, because the app does so in the background.
 */
function createCompletion(state: BasiqState, context: SimulatorContext, bank: Bank) {
  async function waitForUser(verificationId: string): Promise<Ready | Refusal> {
    let reason = "The app did not answer";
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await sleep(context.timers, TRY_EVERY_MS);
      const answer = await findBankCheck(context, { verificationId });
      if ("check" in answer) {
        const userId = answer.check.providerUserId;
        if (userId && Object.hasOwn(state.users, userId)) return { check: answer.check, userId };
        reason = userId
          ? "The provider does not know the user of this check"
          : "No bank check is waiting for its payee";
      } else if (answer.problem === "unknown") {
        return { status: 404, message: "The app does not know this verification" };
      }
    }
    return { status: 409, message: reason };
  }

  return async ({ request, body }: SimulatedCall): Promise<Response> => {
    const isForm = request.headers.get("content-type")?.includes("x-www-form-urlencoded") ?? false;
    const input = parseInput(body, isForm);
    if ("message" in input)
      return Response.json({ ok: false, ...input, personas: Object.keys(PERSONAS) }, { status: 400 });
    const ready = await waitForUser(input.verificationId);
    if ("message" in ready) return Response.json({ ok: false, message: ready.message }, { status: ready.status });
    const { check, userId } = ready;
    const institutionId = input.institutionId ?? bankOfBsb(check.submitted.bsb).id;
    const job = bank.decide({ userId, persona: input.persona, institutionId, check, atOnce: true });
    const redirectUrl = check.state ? returnAddress(context.appOrigin, job.id, check.state) : undefined;
    if (isForm && redirectUrl) return seeOther(redirectUrl);
    return Response.json({ ok: true, jobId: job.id, redirectUrl });
  };
}

function parseInput(body: string, isForm: boolean) {
  let input: { verificationId?: unknown; persona?: unknown; institutionId?: unknown };
  try {
    input = isForm ? Object.fromEntries(new URLSearchParams(body)) : (JSON.parse(body) ?? {});
  } catch {
    return { message: "Send JSON: {verificationId, persona}" };
  }
  const { verificationId, persona, institutionId } = input;
  if (typeof verificationId !== "string" || verificationId === "") return { message: "verificationId is missing" };
  if (!isPersona(persona)) return { message: "Unknown persona" };
  if (institutionId === undefined) return { verificationId, persona };
  if (typeof institutionId !== "string" || !connectorName(institutionId)) return { message: "Unknown institutionId" };
  return { verificationId, persona, institutionId };
}

const APP_CALLS = /^\/(?:token|users|jobs|events|connectors|notifications)(?:\/|$)/;
const STRANGER = "somebody-else";

/** The bank-data provider and the payees' banks behind it. */
export function basiqParty(context: SimulatorContext): Party {
  const state = basiqState(context);
  const tokens = createTokens(state, context);
  const webhooks = createWebhookSender(state, context);
  const bank = createBank(state, context, webhooks);

  function resend(call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    const event = state.events.find((candidate) => candidate.id === id);
    if (!event) return notFound(call);
    webhooks.resend(event);
    return seeOther("/basiq");
  }

  function withdraw(call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    if (!state.consents.some((consent) => consent.id === id)) return notFound(call);
    bank.revoke(id);
    return seeOther("/basiq");
  }

  const routes = [
    ...apiRoutes(state, context, { tokens, bank, webhooks }),
    ...consentRoutes(state, context, tokens, bank),
    route("GET", "", () => overviewPage(state)),
    route("POST", "/complete", createCompletion(state, context, bank)),
    route("POST", "/events/:id/resend", resend),
    route("POST", "/consents/:id/withdraw", withdraw),
  ];
  return {
    name: "basiq",
    links: [{ href: "/basiq", text: "Play the payee's bank" }],
    isAppCall: ({ path }) => APP_CALLS.test(path) && !path.endsWith("/resend"),
    app: createRoutes(routes, (call) => notFound(call)),
    errorAnswer: (status, call) => basiqFault(call, status),
    asSomebodyElse: (answer, { path }) =>
      answer
        .replace(/\/users\/[^/"?]+/g, `/users/${STRANGER}`)
        .replace(/"userId":"[^"]*"/g, `"userId":"${STRANGER}"`)
        .replaceAll(path.startsWith("/events/") ? path.slice("/events/".length) : STRANGER, STRANGER),
  };
}

/** Where the consent pages send the payee's browser when they are done. */
function returnAddress(appOrigin: string, jobId: string, state: string): string {
  const url = new URL(`${appOrigin}/bank-consent/return`);
  url.searchParams.set("jobId", jobId);
  url.searchParams.set("jobIds", jobId);
  if (state) url.searchParams.set("state", state);
  return url.toString();
}
