import { html, page } from "../html";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import { validAuthLink } from "./auth-links";
import type { Bank } from "./bank";
import { banksFor, connectorName } from "./connectors";
import { type BankCheck, findBankCheck } from "./find-bank-check";
import { isPersona, PERSONAS } from "./personas";
import { returnAddress } from "./return-address";
import type { BasiqState } from "./state";
import type { Tokens } from "./tokens";

const TITLE = "Bank simulator: local only";

/** What a payee clicks through at consent.basiq.io and at the bank: choose a bank, then allow or refuse. */
export function consentRoutes(state: BasiqState, context: SimulatorContext, tokens: Tokens, bank: Bank): Route[] {
  const userOf = (token: string) => findUser(state, tokens.clientUser(token));

  async function chooseBank({ url }: SimulatedCall): Promise<Response> {
    const userId = userOf(url.searchParams.get("token") ?? "");
    if (userId instanceof Response) return userId;
    const known = await findBankCheck(context, { providerUserId: userId });
    const banks = banksFor("check" in known ? known.check.submitted.bsb : "");
    return banksPage(url.searchParams, banks);
  }

  async function askPayee({ url }: SimulatedCall): Promise<Response> {
    const userId = userOf(url.searchParams.get("token") ?? "");
    if (userId instanceof Response) return userId;
    const bankName = connectorName(url.searchParams.get("institutionId") ?? "");
    if (!bankName) return problem("Choose a bank first.", 400);
    const answer = await findBankCheck(context, { providerUserId: userId });
    if ("problem" in answer) return problem("The app does not know this bank check.", 409);
    return questionPage(url.searchParams, bankName, answer.check.submitted);
  }

  async function decide({ body }: SimulatedCall): Promise<Response> {
    const form = new URLSearchParams(body);
    const userId = userOf(form.get("token") ?? "");
    if (userId instanceof Response) return userId;
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
        ? seeConsent(tokens.issue("CLIENT_ACCESS", link.userId))
        : problem("This link is no longer available.", 410);
    }),
  ];
}

/** The user a page is for, or the page that says why it belongs to no user. */
const findUser = (state: BasiqState, userId: string | undefined): string | Response =>
  userId && Object.hasOwn(state.users, userId)
    ? userId
    : problem("This link has expired. Go back and start again.", 401);

const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } });

const seeConsent = (token: string) => seeOther(`/basiq/consent/home?token=${token}`);

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
