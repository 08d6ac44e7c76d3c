import { showInstant } from "../control/pages";
import { html, page, seeOther } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";
import { type Bill, writeLines } from "./bill";
import { domainOf, type Written, writeMessage } from "./message";
import { picturePdf, textPdf } from "./pdf";

/** What each email tries. */
const KINDS = {
  genuine: "A genuine invoice with the account that is on file",
  forwarded: "The same, forwarded by one of your people: they are answered",
  lookalike: "From a domain that looks like the supplier's, with another account",
  reply_to: "Answers would go to another domain",
  failing: "The check of the sender's domain fails (DMARC)",
  changed: "From the supplier's own address, with a changed account",
  picture: "The invoice is only a picture",
} as const;

type Kind = keyof typeof KINDS;

const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

/** Who the email claims to be from, and who it goes to. */
type Typed = {
  to: string;
  person: string;
  name: string;
  address: string;
  accountName: string;
  bsb: string;
  account: string;
};

type Sent = { at: number; kind: Kind; from: string; to: string; outcome: string };

const OTHER_ACCOUNT = { bsb: "732001", account: "55120412" };
const KEPT = 100;
/** A letter that is easily mistaken for another one. */
const lookalikeOf = (address: string): string => {
  const domain = domainOf(address);
  const swapped = domain.replace(/l|i|o|m/, (letter) => ({ l: "1", i: "l", o: "0", m: "rn" })[letter] ?? letter);
  return `${address.slice(0, address.lastIndexOf("@"))}@${swapped === domain ? `${domain}.au.example` : swapped}`;
};

/** The message that a kind of sender writes. */
function compose(kind: Kind, typed: Typed, { now, id }: { now: number; id: string }): Written {
  const { to, name, accountName } = typed;
  const number = `INV-${id.slice(0, 6).toUpperCase()}`;
  const isOther = kind === "lookalike" || kind === "changed" || kind === "failing";
  const { bsb, account } = isOther ? OTHER_ACCOUNT : typed;
  const bill: Bill = {
    ...{ accountName, bsb, accountNumber: account, number, at: now },
    ...{ what: "Goods and services", total: 185_900 },
  };
  const isNews = kind === "changed" || kind === "lookalike";
  const address =
    kind === "forwarded" ? typed.person : kind === "lookalike" ? lookalikeOf(typed.address) : typed.address;
  return {
    ...{ to, at: now, id },
    from: { name: kind === "forwarded" ? typed.person : name, address },
    ...(kind === "reply_to" && { replyTo: "accounts.desk@webmail.example" }),
    subject: `${kind === "forwarded" ? "Fwd: " : ""}Invoice ${number}`,
    lines: ["Good morning,", isNews ? "please note our new bank details on the invoice." : "our invoice is attached."],
    attachment: {
      fileName: `${number}.pdf`,
      bytes: kind === "picture" ? picturePdf(now) : textPdf(writeLines(bill)),
    },
    dmarc: kind === "failing" ? "fail" : "pass",
  };
}

type Known = {
  address: string | null;
  payee: { name: string; accountName: string; bsb: string; accountNumber: string; email: string } | null;
};

async function askApp<T>(context: SimulatorContext, path: string, init?: RequestInit): Promise<T | undefined> {
  try {
    const response = await context.callApp(new Request(`${context.appOrigin}${path}`, init));
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** The people who send invoices, honest ones and criminals: a page that writes their emails to the app. */
export function sendersParty(context: SimulatorContext): Party {
  const sent = context.slice<Sent[]>("senders", () => []);

  async function send(kind: Kind, typed: Typed): Promise<void> {
    const message = compose(kind, typed, { now: context.now(), id: context.randomId() });
    const query = new URLSearchParams({ from: message.from.address, to: message.to });
    const answer = await askApp<{ rejected: string | null }>(context, `/__local/email?${query}`, {
      method: "POST",
      headers: { "content-type": "message/rfc822" },
      body: writeMessage(message),
    });
    const outcome = answer ? (answer.rejected ?? "Taken in") : "The app did not answer";
    sent.push({ at: context.now(), kind, from: message.from.address, to: message.to, outcome });
    if (sent.length > KEPT) sent.splice(0, sent.length - KEPT);
    context.save();
  }

  async function receive({ body }: SimulatedCall): Promise<Response> {
    const form = new URLSearchParams(body);
    const text = (name: string) => form.get(name)?.trim() ?? "";
    const kind = text("kind");
    const typed: Typed = {
      ...{ to: text("to"), person: text("person"), name: text("name"), address: text("address") },
      ...{ accountName: text("accountName"), bsb: text("bsb").replace(/\D/g, ""), account: text("account") },
    };
    if (!isKind(kind) || Object.values(typed).includes("")) return formPage(sent, undefined, typed, 400);
    await send(kind, typed);
    return seeOther("/senders");
  }

  return {
    name: "senders",
    links: [{ href: "/senders", text: "Send an invoice by email, as a supplier or as a criminal" }],
    isAppCall: () => false,
    app: createRoutes(
      [
        route("GET", "", async () => formPage(sent, await askApp<Known>(context, "/__local/invoice-address"))),
        route("POST", "", receive),
      ],
      () => Response.json({ error: "not found" }, { status: 404 }),
    ),
    errorAnswer: (status) => new Response("Simulated fault", { status }),
  };
}

function formPage(sent: readonly Sent[], known: Known | undefined, typed?: Typed, status = 200): Response {
  const payee = known?.payee;
  const values: Typed = typed ?? {
    to: known?.address ?? "",
    person: "alex@harbour.example",
    name: payee?.name ?? "Karri Floors",
    address: payee?.email ?? "accounts@karrifloors.example",
    accountName: payee?.accountName ?? "Karri Floors Pty Ltd",
    bsb: payee?.bsb ?? "062000",
    account: payee?.accountNumber ?? "20417100",
  };
  const field = (name: keyof Typed, label: string) =>
    html`<label>${label} <input name="${name}" value="${values[name]}" size="48" required></label>`;
  const kinds = Object.entries(KINDS).map(
    ([kind, label], index) =>
      html`<label><input type="radio" name="kind" value="${kind}"${index === 0 ? html` checked` : undefined}> ${label}</label>`,
  );
  const rows = [...sent]
    .reverse()
    .map(
      (each) =>
        html`<tr><td>${showInstant(each.at)}</td><td>${KINDS[each.kind]}</td><td>${each.from}</td><td>${each.outcome}</td></tr>`,
    );
  return page(
    "Invoices by email",
    html`${status === 400 ? html`<p role="alert"><strong>Choose what to send, and fill in every field.</strong></p>` : undefined}
${known && known.address === null ? html`<p role="alert">No organisation receives invoices by email: an administrator switches it on in the app, under Payments, Invoices, Settings.</p>` : undefined}
<form method="post" action="/senders">
<fieldset><legend>What is sent</legend>${kinds}</fieldset>
<fieldset><legend>Who and where</legend>
${field("to", "The organisation's address for invoices")}
${field("person", "One of its people, who forwards")}
${field("name", "Supplier")}
${field("address", "The supplier's email address")}
${field("accountName", "Account name")}
${field("bsb", "BSB")}
${field("account", "Account number")}
</fieldset>
<button>Send</button>
</form>
<p>What the receiving server finds (DMARC) is written into the message, as the platform does. Answers are in <a href="/mail">the mailbox</a>.</p>
<h2>Sent</h2>
<table><thead><tr><th>At (UTC)</th><th>What</th><th>From</th><th>What the app said</th></tr></thead><tbody>${rows}</tbody></table>`,
    status,
  );
}
