/** Which addresses an organisation may have its events sent to. Pure. */

const MAX_LENGTH = 500;
const PORTS = new Set(["", "8443"]);
/** Names that lead nowhere on the internet. Source: RFC 6761, RFC 6762, RFC 8375, and what private networks use. */
const PRIVATE_ENDINGS = /\.(local|localhost|internal|intranet|lan|home|corp|home\.arpa|test|invalid|onion)$/;
const IS_ADDRESS = /^(\[.*\]|\d{1,3}(\.\d{1,3}){3})$/;

/**
 * Reads an address as it was typed: https on its own port or 8443, a name of the public internet, no user, no fragment.
 * Names of private networks and bare addresses are refused here; where a name leads is looked at when an event is sent.
 */
export function readEndpointUrl(text: string): { url: string } | { problem: string } {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return { problem: "Enter a whole address, such as https://hooks.example.com/payeeproof" };
  }
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  if (url.protocol !== "https:") return { problem: "The address has to begin with https://" };
  if (url.username || url.password) return { problem: "The address must not hold a user name or a password" };
  if (!PORTS.has(url.port)) return { problem: "Use the port of https, or 8443" };
  if (IS_ADDRESS.test(host)) return { problem: "Use a name, not a number: such as hooks.example.com" };
  if (!host.includes(".") || PRIVATE_ENDINGS.test(`.${host}`)) {
    return { problem: "This name is not on the public internet" };
  }
  url.hash = "";
  return url.href.length > MAX_LENGTH
    ? { problem: `The address has at most ${MAX_LENGTH} characters` }
    : { url: url.href };
}
