import { html, page } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";

const RECORDS: Readonly<Record<string, number>> = { A: 1, MX: 15, TXT: 16, AAAA: 28 };

type Records = Readonly<Record<string, readonly string[]>>;

/** Names whose first label says where they resolve; every other name resolves to a public address. */
const LEADS_TO: Readonly<Record<string, Records>> = {
  loopback: { A: ["127.0.0.1"] },
  "link-local": { A: ["169.254.169.254"] },
  private: { A: ["10.0.0.5"] },
  "private-v6": { AAAA: ["fd12:3456::1"] },
  mixed: { A: ["93.184.216.34", "192.168.0.9"] },
  nowhere: {},
};
const PUBLIC: Records = { A: ["93.184.216.34"], AAAA: ["2606:2800:220:1:248:1893:25c8:1946"] };

/** The first labels of domains that do not have the usual records of email. */
const DMARC: Readonly<Record<string, readonly string[]>> = {
  "no-dmarc": [],
  "dmarc-none": ['"v=DMARC1; p=none; rua=mailto:dmarc@reports.example"'],
  "two-dmarc": ['"v=DMARC1; p=reject"', '"v=DMARC1; p=none"'],
  "bad-dmarc": ['"v=DMARC1; policy=reject"'],
};
const USUAL_DMARC = ['"v=DMARC1; p=quarantine; " "rua=mailto:dmarc@reports.example"'];

const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** Records that were set for a name and type. */
type Kept = Record<string, string[]>;

/** The records of a name; undefined: there is no such name. */
function find(kept: Kept, name: string, type: string): readonly string[] | undefined {
  const put = kept[`${name} ${type}`];
  if (put) return put;
  if (type === "TXT") {
    const [mark, ...domain] = name.split(".");
    // A subdomain has no policy of its own.
    if (mark !== "_dmarc" || domain.length > 3 || (domain.length === 3 && domain.at(-1) !== "au")) return undefined;
    return DMARC[domain[0] ?? ""] ?? USUAL_DMARC;
  }
  if (type === "MX") return name.startsWith("no-mail.") ? [] : [`10 mx.${name}.`];
  const addresses = LEADS_TO[name.split(".")[0] ?? ""] ?? PUBLIC;
  return Object.keys(addresses).length === 0 ? undefined : (addresses[type] ?? []);
}

function answer({ url }: SimulatedCall, kept: Kept): Response {
  const name = (url.searchParams.get("name") ?? "").toLowerCase();
  const type = url.searchParams.get("type") ?? "A";
  const found = find(kept, name, type);
  const data = (found ?? []).map((each) => ({ name, type: RECORDS[type] ?? 0, TTL: 60, data: each }));
  const headers = { "content-type": "application/dns-json" };
  return Response.json({ Status: found ? NO_ERROR : NO_SUCH_NAME, Answer: data }, { headers });
}

/** A resolver of names over HTTPS, in the shape of Cloudflare's JSON interface. */
export function dnsParty(context: SimulatorContext): Party {
  const kept = context.slice<Kept>("dns", () => ({}));
  const names = Object.keys(LEADS_TO);

  /** The records of `{name, type, data: []}`. */
  function put({ body }: SimulatedCall): Response {
    const { name, type, data } = JSON.parse(body) as { name: string; type: string; data: string[] };
    kept[`${name} ${type}`] = data;
    context.save();
    return Response.json({ name, type, data }, { status: 201 });
  }

  return {
    name: "dns",
    links: [{ href: "/dns", text: "Names and where they lead" }],
    isAppCall: ({ path }) => path === "/query",
    app: createRoutes(
      [
        route("GET", "/query", (call) => answer(call, kept)),
        route("POST", "/records", put),
        route("GET", "", () =>
          page(
            "Names",
            html`<p>Every name leads to a public address, but those that begin with:</p><ul>${names.map((name) => html`<li>${name}.: ${JSON.stringify(LEADS_TO[name])}</li>`)}</ul>
<p>Every domain has the DMARC policy “quarantine”, but those that begin with:</p><ul>${Object.entries(DMARC).map(([name, records]) => html`<li>${name}.: ${records.join(" and ") || "none"}</li>`)}</ul>
<p><code>POST /dns/records {"name", "type", "data": []}</code> puts records in, such as TXT of <code>_dmarc.acme.example</code>.</p>`,
          ),
        ),
      ],
      () => Response.json({ error: "not found" }, { status: 404 }),
    ),
    errorAnswer: (status) => Response.json({ error: "Simulated fault" }, { status }),
  };
}
