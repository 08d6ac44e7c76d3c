const IPV6_GROUPS = 8;
const SUBSCRIBER_GROUPS = 4; // 64 of 128 bits
const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** The eight groups of an IPv6 address, lower case, no leading zeros, `::` expanded. RFC 4291, section 2.2. */
export function ipv6Groups(address: string): string[] {
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, IPV6_GROUPS - before.length - after.length);
  return [...before, ...Array<string>(zeros).fill("0"), ...after].map((group) => group.replace(/^0+(?=.)/, ""));
}

/**
 * The unit for limits per address: an IPv4 address, or the /64 network of an IPv6 address, because one home connection
 * has a whole /64. Source: RFC 6177.
 */
export function subscriberOf(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return address.includes(":") ? `${ipv6Groups(address).slice(0, SUBSCRIBER_GROUPS).join(":")}::/64` : address;
}

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** IPv4 networks that are not public, as first address and prefix length. Source: RFC 6890 and IANA's registry. */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

const BITS = 32;

/** The address as a number; undefined when it is invalid. */
function ipv4Number(address: string): number | undefined {
  const octets = IPV4.exec(address)?.slice(1).map(Number);
  if (!octets || octets.some((octet) => octet > 255)) return undefined;
  return octets.reduce((sum, octet) => sum * 256 + octet, 0);
}

function isPublicV4(address: number): boolean {
  return !NOT_PUBLIC_V4.some(([first, length]) => {
    const size = 2 ** (BITS - length);
    return Math.floor(address / size) === Math.floor((ipv4Number(first) ?? 0) / size);
  });
}

/**
 * True if an address is public: not loopback, link-local, private, reserved or for documentation, nor one of these
 * written as IPv6. Invalid text is not public.
 */
export function isPublicAddress(address: string): boolean {
  const plain = ipv4Number(address);
  if (plain !== undefined) return isPublicV4(plain);
  const embedded = /^(?:::ffff:|::|64:ff9b::)(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (embedded !== undefined) return isPublicV4(ipv4Number(embedded) ?? 0) && !address.startsWith("::");
  if (!/^[0-9a-f:]{2,39}$/i.test(address) || !address.includes(":")) return false;
  const [first = "0", second = "0"] = ipv6Groups(address);
  const group = Number.parseInt(first, 16);
  // Only 2000::/3 is assigned; within it, 2001:db8::/32 is for documentation, and 2002::/16 contains IPv4 addresses.
  const isGivenOut = group >= 0x2000 && group <= 0x3fff;
  return isGivenOut && group !== 0x2002 && !(group === 0x2001 && (second === "db8" || second === "0"));
}
