import { html, page } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";
import { SUPPLIERS } from "../suppliers";

/** An entity of the register, with the fields that the service returns. */
type Entity = {
  Abn: string;
  AbnStatus: "Active" | "Cancelled";
  AbnStatusEffectiveFrom: string;
  Acn: string;
  AddressDate: string | null;
  AddressPostcode: string;
  AddressState: string;
  BusinessName: string[];
  EntityName: string;
  EntityTypeCode: string;
  EntityTypeName: string;
  Gst: string | null;
};

const UNKNOWN_GUID = "00000000-0000-0000-0000-000000000000";
const NOT_FOUND = "No record found";
const NOT_REGISTERED = "The GUID entered is not recognised as a Registered Party";
const NOT_VALID = "Search text is not a valid ABN or ACN";
const MAX_HITS = 10;

const entity = (abn: string, name: string, given: Partial<Entity> = {}): Entity => ({
  Abn: abn,
  AbnStatus: "Active",
  AbnStatusEffectiveFrom: "2010-07-01",
  Acn: "",
  AddressDate: "2024-03-01",
  AddressPostcode: "2000",
  AddressState: "NSW",
  BusinessName: [],
  EntityName: name,
  EntityTypeCode: "PRV",
  EntityTypeName: "Australian Private Company",
  Gst: "2010-07-01",
  ...given,
});

/** For a withheld entity the register returns the ABN, its status and its GST registration. */
const WITHHELD = {
  AbnStatusEffectiveFrom: "",
  AddressDate: null,
  AddressPostcode: "",
  AddressState: "",
  EntityTypeCode: "",
  EntityTypeName: "",
};

const WATTLE_CREEK = "53004085616";

/** Entities that always exist; every other valid ABN is derived from its digits. */
const KNOWN: readonly Entity[] = [
  entity("51824753556", "AUSTRALIAN TAXATION OFFICE", {
    AbnStatusEffectiveFrom: "1999-11-01",
    AddressPostcode: "2640",
    EntityTypeCode: "CGE",
    EntityTypeName: "Commonwealth Government Entity",
    Gst: "2000-07-01",
  }),
  entity(WATTLE_CREEK, "WATTLE CREEK ELECTRICAL PTY LTD", { Acn: "004085616", BusinessName: ["Wattle Creek Solar"] }),
  entity("32000000001", "", WITHHELD),
  entity("88000014675", "OLD MILL TRADING PTY LTD", {
    Acn: "000014675",
    AbnStatus: "Cancelled",
    AbnStatusEffectiveFrom: "2021-06-30",
    Gst: null,
  }),
  ...SUPPLIERS.filter(({ abn }) => abn !== WATTLE_CREEK).map(({ abn, name, accountName }) =>
    entity(abn, accountName.toUpperCase(), { BusinessName: [name] }),
  ),
];

/** The Commonwealth's ABN Lookup: JSONP, and refusals with HTTP 200. */
export function abrParty(context: SimulatorContext): Party {
  const kept = context.slice<Record<string, Entity>>("abr", () => ({}));
  const all = () => [...KNOWN, ...Object.values(kept)];
  const find = (abn: string) => kept[abn] ?? KNOWN.find((each) => each.Abn === abn) ?? invent(abn);

  function put({ body }: SimulatedCall): Response {
    const made = readEntity(body);
    kept[made.Abn] = made;
    context.save();
    return Response.json(made, { status: 201 });
  }

  const routes = [
    route("GET", "/json/AbnDetails.aspx", ({ url }) => details(url, find)),
    route("GET", "/json/MatchingNames.aspx", ({ url }) => names(url, all())),
    route("POST", "/entities", put),
    route("GET", "", () => registerPage(all())),
  ];
  return {
    name: "abr",
    links: [{ href: "/abr", text: "Business register" }],
    isAppCall: ({ path }) => path.startsWith("/json/"),
    app: createRoutes(routes, () => new Response("Not found", { status: 404 })),
    errorAnswer: (status) => new Response("The service is unavailable.", { status }),
    asSomebodyElse: (answer) => answer.replace(/"Abn":"\d{11}"/, '"Abn":"51824753556"'),
    summarise: ({ url }) => url.search.replace(/guid=[^&]*/, "guid=..."),
  };
}

const refusalOf = (url: URL): string | undefined => {
  const guid = url.searchParams.get("guid") ?? "";
  return guid === "" || guid === UNKNOWN_GUID ? NOT_REGISTERED : undefined;
};

function details(url: URL, find: (abn: string) => Entity | undefined): Response {
  const refused = refusalOf(url);
  const abn = (url.searchParams.get("abn") ?? "").replace(/\s/g, "");
  const found = refused ? undefined : find(abn);
  const message = refused ?? (/^\d{11}$/.test(abn) ? (found ? "" : NOT_FOUND) : NOT_VALID);
  return jsonp(url, { ...(found ?? { ...entity("", ""), AbnStatus: "", Gst: null }), Message: message });
}

function names(url: URL, all: readonly Entity[]): Response {
  const refused = refusalOf(url);
  const words = (url.searchParams.get("name") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const hits = (words.length > 0 ? all : []).filter(({ EntityName, BusinessName }) =>
    words.every((word) => [EntityName, ...BusinessName].join(" ").toLowerCase().includes(word)),
  );
  const Names = hits.slice(0, MAX_HITS).map((hit, at) => ({
    Abn: hit.Abn,
    AbnStatus: hit.AbnStatus === "Active" ? "0000000001" : "0000000002",
    IsCurrent: true,
    Name: hit.EntityName,
    NameType: "Entity Name",
    Postcode: hit.AddressPostcode,
    State: hit.AddressState,
    Score: 100 - at,
  }));
  return jsonp(url, { Message: refused ?? (hits.length > 0 ? "" : NOT_FOUND), Names: refused ? [] : Names });
}

/** The entity of `{abn, entityName, status?, businessNames?, since?}`. */
function readEntity(body: string): Entity {
  const given = JSON.parse(body) as {
    abn: string;
    entityName: string;
    status?: "Active" | "Cancelled";
    businessNames?: string[];
    since?: string;
  };
  return entity(given.abn, given.entityName, {
    ...(given.status && { AbnStatus: given.status }),
    ...(given.businessNames && { BusinessName: given.businessNames }),
    ...(given.since && { AbnStatusEffectiveFrom: given.since }),
  });
}

const LAST_DIGITS = 2;
const NOT_THERE_BELOW = 5;
const CANCELLED_BELOW = 10;

/**
 * Derives an entity from the digits of an ABN: of a hundred, five do not exist and five are cancelled. Its name is
 * withheld, because one that is made up would not be the name of the payee that somebody tries it with.
 */
function invent(abn: string): Entity | undefined {
  if (!/^\d{11}$/.test(abn)) return undefined;
  const number = Number(abn.slice(-LAST_DIGITS));
  if (number < NOT_THERE_BELOW) return undefined;
  const cancelled = number < CANCELLED_BELOW;
  return entity(abn, "", { ...WITHHELD, ...(cancelled ? { AbnStatus: "Cancelled", Gst: null } : {}) });
}

const jsonp = (url: URL, answer: object): Response =>
  new Response(`${url.searchParams.get("callback") ?? "callback"}(${JSON.stringify(answer)})`, {
    headers: { "content-type": "text/javascript; charset=utf-8" },
  });

function registerPage(entities: readonly Entity[]): Response {
  const rows = entities.map(
    ({ Abn, EntityName, AbnStatus, BusinessName }) =>
      html`<tr><td>${Abn}</td><td>${EntityName}</td><td>${AbnStatus}</td><td>${BusinessName.join(", ")}</td></tr>`,
  );
  return page(
    "Business register",
    html`<p>Any other valid ABN is made up: it is not there where it ends in 00 to 04, cancelled in 05 to 09, active otherwise; its name is withheld.
<code>POST /abr/entities {"abn", "entityName", "status", "businessNames", "since"}</code> puts one in.</p>
<table><thead><tr><th>ABN</th><th>Entity</th><th>Status</th><th>Business names</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}
