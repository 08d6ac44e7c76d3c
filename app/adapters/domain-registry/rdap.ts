import * as z from "zod";
import { parseAbn } from "~/kernel/abn";
import { UpstreamError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { asciiDomain } from "~/kernel/domain-name";
import { cleanLine, isStorable } from "~/kernel/text";
import type { DomainRegistry, Registrant, Registration } from "~/ports/domains";
import { createHttpClient, type Fetch, type Reached } from "../http-client";

export type RdapOptions = Reached & {
  /** Without a trailing slash, e.g. "https://rdap.org": it redirects to the registry of each top-level domain. */
  baseUrl: string;
  /** Reaches the registries that an answer redirects to. */
  registryFetch?: Fetch;
};

const PARTY = "rdap";
const TIMEOUT_MS = 8_000;
/** rdap.org sends on once; a registry may send on to another of its addresses. */
const MAX_REDIRECTS = 3;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const NOT_FOUND = 404;

/** RFC 9083, sections 4.5, 5.3 and 6. */
const domainSchema = z.object({
  objectClassName: z.string().nullish(),
  ldhName: z.string().nullish(),
  unicodeName: z.string().nullish(),
  errorCode: z.int().nullish(),
  events: z.array(z.object({ eventAction: z.string(), eventDate: z.string().nullish() })).nullish(),
  // An extension of the .au registry. An unexpected form does not spoil the rest of the answer.
  auData_eligibility: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .nullish()
    .catch(undefined),
});

/**
 * Registration data of domains (RFC 9082 and 9083) through a server that knows the registry of each top-level domain.
 * It answers 404 itself if the registry has no RDAP; a 404 from a registry means that the domain is not registered.
 *
 * The .au registry omits registration dates, as it declares by RFC 9537, and publishes who holds a domain.
 */
export function createRdap(options: RdapOptions): DomainRegistry {
  const { baseUrl, clock, timeoutMs = TIMEOUT_MS } = options;
  return {
    async findRegistration(domain) {
      const trail = { redirects: 0 };
      const client = createHttpClient({ party: PARTY, fetch: sentOn(options, trail), clock, timeoutMs });
      const headers = { accept: "application/rdap+json, application/json" };
      const url = `${baseUrl}/domain/${domain}`;
      try {
        return toRegistration(
          domain,
          await client.callJson({ method: "GET", url, headers }, domainSchema),
          clock.now(),
        );
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.options.httpStatus !== NOT_FOUND) throw error;
        return { state: trail.redirects === 0 ? "no_registry" : "not_registered" };
      }
    },
  };
}

/** The `fetch` of one call: follows redirects over https only, and a limited number of them. */
function sentOn({ baseUrl, fetch, registryFetch = fetch }: RdapOptions, trail: { redirects: number }): Fetch {
  const { origin } = new URL(baseUrl);
  return async (request) => {
    let answer = await fetch(request);
    let at = request.url;
    while (REDIRECTS.includes(answer.status)) {
      await answer.body?.cancel();
      const to = findTarget(answer.headers.get("location"), at, origin);
      if (!to) throw new UpstreamError(PARTY, "malformed", "it sends on to an address that is not followed");
      if (++trail.redirects > MAX_REDIRECTS) throw new UpstreamError(PARTY, "malformed", "it sends on too often");
      at = to;
      const next = new Request(to, { headers: request.headers, redirect: "manual", signal: request.signal });
      answer = await registryFetch(next);
    }
    return answer;
  };
}

/** An address on the configured server, or an https address on the standard port of a public host name. */
function findTarget(location: string | null, from: string, origin: string): string | undefined {
  if (location === null || !URL.canParse(location, from)) return undefined;
  const url = new URL(location, from);
  if (url.username !== "" || url.password !== "") return undefined;
  if (url.origin === origin) return url.href;
  const isPublicName = asciiDomain(url.hostname) !== undefined && !PRIVATE_ENDING.test(url.hostname);
  return url.protocol === "https:" && url.port === "" && isPublicName ? url.href : undefined;
}

/** RFC 6761, 6762, 8375 and ICANN's reservation of `internal`. */
const PRIVATE_ENDING = /\.(?:localhost|local|internal|home\.arpa|test|invalid)\.?$/;

/** The day a registration began, because a domain that lapsed and was registered again may have a new owner. */
const BEGINNINGS: readonly string[] = ["registration", "reregistration"];
/** No domain is older than the first one (15 March 1985). */
const FIRST = Date.UTC(1985, 0, 1);

function toRegistration(domain: string, answer: z.infer<typeof domainSchema>, now: number): Registration {
  if (answer.errorCode === NOT_FOUND) return { state: "not_registered" };
  const named = answer.ldhName ?? answer.unicodeName;
  if (!named || (answer.objectClassName ?? "domain") !== "domain")
    throw new UpstreamError(PARTY, "malformed", "the answer is about no domain");
  if (asciiDomain(named) !== domain)
    throw new UpstreamError(PARTY, "wrong_tenant", "the answer is about another domain");
  const begun = (answer.events ?? []).flatMap(({ eventAction, eventDate }) => {
    const at = Date.parse(eventDate ?? "");
    return BEGINNINGS.includes(eventAction.trim().toLowerCase()) && at >= FIRST && at <= now + DAY_MS ? [at] : [];
  });
  // If there are several, the last one, because younger domains are checked more closely.
  const last = begun.length === 0 ? null : new Date(Math.max(...begun)).toISOString();
  const registrant = domain.endsWith(".au") ? findRegistrant(answer.auData_eligibility ?? []) : undefined;
  return { state: "registered", registeredAt: last, ...(registrant && { registrant }) };
}

const LONGEST_NAME = 200;
/** "ABN 51824753556" or "ACN 000000019". */
const LABELLED_ACN = /^ACN\b[:\s]*([\d\s]+)$/i;
const ACN_LENGTH = 9;

/**
 * The holder of a .au domain by its number: a list of names and values, in which "registrant id" is the holder's own
 * number, and "eligibility id" may be a business name's or a trade mark's.
 */
function findRegistrant(eligibility: readonly { name: string; value: string }[]): Registrant | undefined {
  const said = (wanted: string) =>
    eligibility.find(({ name }) => name.trim().toLowerCase() === wanted)?.value.trim() ?? "";
  const id = said("registrant id") || said("eligibility id");
  const acn = LABELLED_ACN.exec(id)?.[1]?.replace(/\s/g, "");
  const number = parseAbn(id) ?? (acn?.length === ACN_LENGTH ? acn : undefined);
  if (number === undefined) return undefined;
  const name = cleanLine(said("registrant name")).slice(0, LONGEST_NAME);
  return { name: name !== "" && isStorable(name) ? name : null, number };
}
