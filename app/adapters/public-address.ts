import { isPublicAddress } from "~/kernel/ip-address";
import { dnsSchema, RECORDS, recordsIn } from "./dns/dns-over-https";
import { type Fetch, readLimitedText } from "./http-client";

type Resolver = {
  fetch: Fetch;
  /** A DNS-over-HTTPS resolver that answers JSON. */
  resolverUrl: string;
};

const MAX_READ_BYTES = 64 * 1024;

/**
 * Why nothing may be sent to a host that a customer chose; undefined if all its addresses are public.
 *
 * A Worker's `fetch` resolves the name again and cannot be given an address, so a name that changes in between is not
 * caught here; but the platform's network does not reach private addresses.
 */
export async function findAddressProblem(
  resolver: Resolver,
  host: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await Promise.all((["A", "AAAA"] as const).map((type) => resolve(resolver, host, type, signal)));
  const addresses = found.flat();
  if (addresses.length === 0) return `The name ${host} leads to no address.`;
  if (!addresses.every(isPublicAddress)) return `The name ${host} leads to an address that is not public.`;
  return undefined;
}

async function resolve(
  { fetch, resolverUrl }: Resolver,
  name: string,
  type: keyof typeof RECORDS,
  signal: AbortSignal,
) {
  const url = `${resolverUrl}?${new URLSearchParams({ name, type })}`;
  const response = await fetch(new Request(url, { headers: { accept: "application/dns-json" }, signal }));
  const read = await readLimitedText(response, MAX_READ_BYTES);
  const parsed = dnsSchema.safeParse("text" in read && response.ok ? JSON.parse(read.text) : undefined);
  if (!parsed.success) throw new Error("the resolver gave no answer");
  return recordsIn(parsed.data, RECORDS[type]);
}
