// Parameters of Punycode, RFC 3492 section 5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;
const MAX_CODE_POINT = 0x10ffff;

const PREFIX = "xn--";
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
const MAX_LABEL_LENGTH = 63;

/** Bias adaptation, RFC 3492 section 6.1. */
function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  rest += Math.floor(rest / points);
  let k = 0;
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN));
    k += BASE;
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

/**
 * Decodes what follows `xn--` in a domain label. Workers, browsers and Node share no decoder of their own: a URL only encodes.
 *
 * Source: RFC 3492, section 6.2.
 *
 * @param encoded lower-case ASCII
 * @returns the label in Unicode, or undefined when it is malformed
 */
export function decodePunycode(encoded: string): string | undefined {
  const lastHyphen = encoded.lastIndexOf("-");
  const output = Array.from(encoded.slice(0, Math.max(lastHyphen, 0)), (letter) => letter.charCodeAt(0));
  let n = INITIAL_N;
  let i = 0;
  let bias = INITIAL_BIAS;

  for (let at = lastHyphen + 1; at < encoded.length; ) {
    const before = i;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = DIGITS.indexOf(encoded.charAt(at++) || " ");
      if (digit < 0) return undefined;
      i += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
      if (!Number.isSafeInteger(i) || !Number.isSafeInteger(weight)) return undefined;
    }
    const points = output.length + 1;
    bias = adapt(i - before, points, before === 0);
    n += Math.floor(i / points);
    i %= points;
    if (n > MAX_CODE_POINT) return undefined;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

/**
 * Shows a domain name in Unicode: each `xn--` label decoded, the rest unchanged. A label that cannot be decoded stays as it is.
 * For comparing, never for connecting: a name may be decoded that no registry would accept.
 */
export function toUnicodeDomain(domain: string): string {
  return domain
    .split(".")
    .map((label) => {
      if (!label.startsWith(PREFIX) || label.length > MAX_LABEL_LENGTH) return label;
      return decodePunycode(label.slice(PREFIX.length)) ?? label;
    })
    .join(".");
}
