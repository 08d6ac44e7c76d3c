const MAX_LENGTH = 40;
const SUFFIX_LENGTH = 4;

/** The username that an address suggests: its local part, with what is no plain letter, digit, dot, underscore or hyphen replaced. */
export function usernameFrom(email: string): string {
  const localPart = email.slice(0, Math.max(email.lastIndexOf("@"), 0)).toLowerCase();
  const plain = localPart.replace(/[^a-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
  return plain.slice(0, MAX_LENGTH) || "person";
}

/**
 * The username of a further try when the suggested one is taken.
 * @param randomText a fresh secret: the suffix is made of its letters and digits
 */
export function usernameWithSuffix(username: string, randomText: string): string {
  const suffix = randomText
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, SUFFIX_LENGTH);
  return `${username.slice(0, MAX_LENGTH - SUFFIX_LENGTH - 1)}-${suffix}`;
}
