import * as z from "zod";
import { UpstreamError } from "~/kernel/app-error";
import type { BusinessRegister, NameHit, RegisterEntry } from "~/ports/business-register";
import { createHttpClient, type Reached } from "../http-client";

export type AbrOptions = Reached & {
  /** Without a trailing slash, e.g. "https://abr.business.gov.au/json". */
  baseUrl: string;
  /** Each GUID identifies us to the register; free on registration. The first one that the register accepts is used. */
  guids: readonly string[];
};

const PARTY = "abr";
/** Answers always have the form `callback({...})`, even without a callback parameter. */
const JSONP = /^\s*[\w$.]+\(([\s\S]*)\)\s*;?\s*$/;
const MAX_HITS = 10;
const TIMEOUT_MS = 5_000;

const UNKNOWN_GUID = /guid/i;
const NOT_FOUND = /no record found|not a valid abn|not a valid acn/i;

const text = z.string().nullish();

const detailsSchema = z.object({
  Message: text,
  Abn: text,
  AbnStatus: text,
  AbnStatusEffectiveFrom: text,
  Acn: text,
  AddressState: text,
  AddressPostcode: text,
  BusinessName: z.preprocess((name) => (typeof name === "string" ? [name] : name), z.array(z.string()).nullish()),
  EntityName: text,
  EntityTypeName: text,
  Gst: text,
});

const namesSchema = z.object({
  Message: text,
  Names: z
    .array(z.object({ Abn: z.string(), AbnStatus: text, Name: z.string(), State: text, Postcode: text }))
    .nullish(),
});

/**
 * The ABN Lookup service (abr.business.gov.au/json). It refuses with HTTP 200 and a message: "no record" is an answer
 * about the ABN; any other message is a failure.
 */
export function createAbr({ baseUrl, guids, fetch, clock, timeoutMs = TIMEOUT_MS }: AbrOptions): BusinessRegister {
  const unwrap = (body: string) => JSONP.exec(body)?.[1] ?? body;
  const client = createHttpClient({ party: PARTY, fetch, clock, timeoutMs, unwrap });
  const ask = async <T extends { Message?: string | null }>(
    page: string,
    query: Record<string, string>,
    schema: z.ZodType<T>,
  ): Promise<T> => {
    for (const [at, guid] of guids.entries()) {
      const url = `${baseUrl}/${page}?${new URLSearchParams({ ...query, guid })}`;
      const answer = await client.callJson({ method: "GET", url }, schema);
      if (at === guids.length - 1 || !UNKNOWN_GUID.test(answer.Message ?? "")) return answer;
    }
    throw new Error("the register's GUID is missing");
  };
  return {
    async findByAbn(abn) {
      const details = await ask("AbnDetails.aspx", { abn }, detailsSchema);
      if (!isAnswered(details.Message)) return null;
      if (details.Abn !== abn) throw new UpstreamError(PARTY, "wrong_tenant", "the answer is about another ABN");
      return toEntry(abn, details);
    },
    async findByName(name) {
      const found = await ask("MatchingNames.aspx", { name, maxResults: String(MAX_HITS) }, namesSchema);
      if (!isAnswered(found.Message)) return [];
      return (found.Names ?? []).slice(0, MAX_HITS).map(
        (hit): NameHit => ({
          abn: hit.Abn,
          name: hit.Name,
          isActive: hit.AbnStatus !== "Cancelled" && hit.AbnStatus !== "0000000002",
          state: hit.State || null,
          postcode: hit.Postcode || null,
        }),
      );
    },
  };
}

/** @returns false if the register has no such record @throws UpstreamError if it refused to answer */
function isAnswered(message: string | null | undefined): boolean {
  if (!message) return true;
  if (NOT_FOUND.test(message)) return false;
  throw new UpstreamError(PARTY, "unavailable", message.slice(0, 200));
}

function toEntry(abn: string, details: z.infer<typeof detailsSchema>): RegisterEntry {
  const { AbnStatus: status } = details;
  if (status !== "Active" && status !== "Cancelled") {
    throw new UpstreamError(PARTY, "malformed", "the answer has no known status");
  }
  return {
    abn,
    entityName: details.EntityName?.trim() || null,
    isActive: status === "Active",
    statusFrom: details.AbnStatusEffectiveFrom || null,
    entityType: details.EntityTypeName ?? "",
    acn: details.Acn || null,
    gstFrom: details.Gst || null,
    businessNames: details.BusinessName ?? [],
    state: details.AddressState || null,
    postcode: details.AddressPostcode || null,
  };
}
