import { html, page } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";

const DAY_MS = 24 * 60 * 60 * 1000;
const USUAL = "2012-03-14T04:21:09Z";
const NEW_DAYS = 12;

type Registrant = { name: string; id: string };

const AUDA: Registrant = { name: ".AU DOMAIN ADMINISTRATION LTD", id: "ABN 38079009340" };

/** When a domain was registered, by its name; null: nobody has registered it. */
type Kept = Record<string, { registeredAt: string | null; registrant?: Registrant }>;

/** All registries of domains behind one address, like rdap.org (RFC 9082 and 9083). */
export function rdapParty(context: SimulatorContext): Party {
  const kept = context.slice<Kept>("rdap", () => ({}));

  function find(domain: string): Kept[string] {
    const put = kept[domain];
    if (put !== undefined) return put;
    if (domain.startsWith("unregistered")) return { registeredAt: null };
    if (domain === "auda.org.au") return { registeredAt: USUAL, registrant: AUDA };
    return {
      registeredAt: domain.startsWith("new-") ? new Date(context.now() - NEW_DAYS * DAY_MS).toISOString() : USUAL,
    };
  }

  /** Sends on to the registry of the ending; .zz has none. */
  function sendOn({ path }: SimulatedCall): Response {
    const domain = path.slice("/domain/".length);
    if (domain.endsWith(".zz")) return notFound();
    const location = `${context.publicOrigin}/rdap/registry/domain/${domain}`;
    return new Response(null, { status: 302, headers: { location } });
  }

  function answer({ path }: SimulatedCall): Response {
    const domain = path.slice("/registry/domain/".length);
    const { registeredAt, registrant } = find(domain);
    return registeredAt === null ? notFound() : rdapJson(toAnswer(domain, { registeredAt, registrant }, context.now()));
  }

  /** `{domain, registeredAt, registrant}`; registeredAt null: not registered. */
  function put({ body }: SimulatedCall): Response {
    const { domain, registeredAt = USUAL, registrant } = JSON.parse(body) as { domain: string } & Kept[string];
    kept[domain] = { registeredAt, registrant };
    context.save();
    return Response.json({ domain, registeredAt, registrant }, { status: 201 });
  }

  return {
    name: "rdap",
    links: [{ href: "/rdap", text: "Registries of domains" }],
    isAppCall: ({ path }) => path.startsWith("/domain/") || path.startsWith("/registry/"),
    app: createRoutes(
      [
        route("GET", "/domain/:domain", sendOn),
        route("GET", "/registry/domain/:domain", answer),
        route("POST", "/domains", put),
        route("GET", "", () =>
          page(
            "Registries of domains",
            html`<p>Every domain is registered since ${USUAL.slice(0, 10)}, but: <code>new-...</code> since ${NEW_DAYS} days, <code>unregistered...</code> not at all.
Of .au no registry says since when; nobody can be asked about .zz.</p>
<p><code>POST /rdap/domains {"domain", "registeredAt"}</code> says it of one; null: it is not registered. Who holds one of .au
is said with <code>"registrant": {"name", "id": "ABN 51 824 753 556"}</code>.</p>`,
          ),
        ),
      ],
      notFound,
    ),
    errorAnswer: (status) => rdapJson({ errorCode: status, title: "Simulated fault" }, status),
    asSomebodyElse: (body) => body.replace(/"ldhName":"[^"]*"/, '"ldhName":"somebody.example"'),
  };
}

const rdapJson = (body: object, status = 200): Response =>
  Response.json(body, { status, headers: { "content-type": "application/rdap+json" } });

const notFound = (): Response => rdapJson({ errorCode: 404, title: "Not Found" }, 404);

/** As the registries of generic endings answer; that of .au removes the dates, says so (RFC 9537), and names the holder. */
function toAnswer(
  domain: string,
  { registeredAt, registrant }: { registeredAt: string; registrant?: Registrant },
  now: number,
): object {
  const isAu = domain.endsWith(".au");
  const changed = [
    { eventAction: "last changed", eventDate: "2026-02-01T00:00:00Z" },
    { eventAction: "last update of RDAP database", eventDate: new Date(now).toISOString() },
  ];
  return {
    rdapConformance: ["rdap_level_0", ...(isAu ? ["redacted"] : [])],
    objectClassName: "domain",
    handle: "D0000000001-SIM",
    ldhName: domain,
    status: ["active"],
    events: isAu
      ? changed
      : [
          { eventAction: "registration", eventDate: registeredAt },
          { eventAction: "expiration", eventDate: "2030-03-14T04:21:09Z" },
          ...changed,
        ],
    ...(isAu &&
      registrant && {
        auData_eligibility: [
          { name: "registrant name", value: registrant.name },
          { name: "registrant id", value: registrant.id },
          { name: "eligibility type", value: "Company" },
        ],
      }),
    ...(isAu && {
      redacted: [
        {
          name: { type: "Registration Date" },
          prePath: "$.events[?(@.eventAction=='registration')]",
          method: "removal",
        },
      ],
    }),
  };
}
