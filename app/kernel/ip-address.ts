const IPV6_GROUPS = 8;
const SUBSCRIBER_GROUPS = 4; // 64 of 128 bits
const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** The eight groups of an IPv6 address in lower case, without leading zeros; `::` is filled up. Source: RFC 4291, section 2.2. */
export function ipv6Groups(address: string): string[] {
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, IPV6_GROUPS - before.length - after.length);
  return [...before, ...Array<string>(zeros).fill("0"), ...after].map((group) => group.replace(/^0+(?=.)/, ""));
}

/**
 * What a limit per address counts: an IPv4 address, or the /64 network of an IPv6 address. One connection at home has a
 * whole /64, so a limit on single IPv6 addresses limits nothing. Source: RFC 6177.
 */
export function subscriberOf(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return address.includes(":") ? `${ipv6Groups(address).slice(0, SUBSCRIBER_GROUPS).join(":")}::/64` : address;
}
