import { html, page } from "../html";
import type { Party, SimulatedCall } from "../party";
import { createRoutes, route } from "../routes";

const RECORDS: Readonly<Record<string, number>> = { A: 1, AAAA: 28 };

/** Names whose first label says where they lead; every other name leads to an address of the public internet. */
const LEADS_TO: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  loopback: { A: ["127.0.0.1"] },
  "link-local": { A: ["169.254.169.254"] },
  private: { A: ["10.0.0.5"] },
  "private-v6": { AAAA: ["fd12:3456::1"] },
  mixed: { A: ["93.184.216.34", "192.168.0.9"] },
  nowhere: {},
};
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  A: ["93.184.216.34"],
  AAAA: ["2606:2800:220:1:248:1893:25c8:1946"],
};

const NO_SUCH_NAME = 3;

function answer({ url }: SimulatedCall): Response {
  const name = url.searchParams.get("name") ?? "";
  const type = url.searchParams.get("type") ?? "A";
  const addresses = LEADS_TO[name.split(".")[0] ?? ""] ?? PUBLIC;
  const data = (addresses[type] ?? []).map((each) => ({ name, type: RECORDS[type] ?? 0, TTL: 60, data: each }));
  const status = Object.keys(addresses).length === 0 ? NO_SUCH_NAME : 0;
  return Response.json({ Status: status, Answer: data }, { headers: { "content-type": "application/dns-json" } });
}

/** A resolver of names over HTTPS, in the shape of Cloudflare's JSON interface. */
export function dnsParty(): Party {
  const names = Object.keys(LEADS_TO);
  return {
    name: "dns",
    links: [{ href: "/dns", text: "Names and where they lead" }],
    isAppCall: ({ path }) => path === "/query",
    app: createRoutes(
      [
        route("GET", "/query", answer),
        route("GET", "", () =>
          page(
            "Names",
            html`<p>Every name leads to a public address, but those that begin with:</p><ul>${names.map((name) => html`<li>${name}.: ${JSON.stringify(LEADS_TO[name])}</li>`)}</ul>`,
          ),
        ),
      ],
      () => Response.json({ error: "not found" }, { status: 404 }),
    ),
    errorAnswer: (status) => Response.json({ error: "Simulated fault" }, { status }),
  };
}
