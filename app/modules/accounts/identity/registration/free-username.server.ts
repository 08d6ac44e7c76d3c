import { isUniqueError } from "@db/errors";
import type { Services } from "~/services";

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

/** So many people may want the same username at the very same moment. */
const TRIES = 8;

/** The username that an address suggests, then others like it to try in turn while they are taken. */
export function* suggestUsernames({ ids }: Pick<Services, "ids">, email: string): Generator<string> {
  const suggested = usernameFrom(email);
  yield suggested;
  for (let attempt = 1; attempt < TRIES; attempt++) yield usernameWithSuffix(suggested, ids.secret());
}

/** Writes a new person under the first suggested username that is free. */
export async function withFreeUsername(
  services: Pick<Services, "ids">,
  email: string,
  write: (username: string) => Promise<void>,
): Promise<void> {
  let taken: unknown;
  for (const username of suggestUsernames(services, email)) {
    try {
      return await write(username);
    } catch (error) {
      if (!isUniqueError(error, "users.username")) throw error;
      taken = error;
    }
  }
  throw taken;
}
