import { isUniqueError } from "@db/errors";
import type { Services } from "~/services";
import { usernameFrom, usernameWithSuffix } from "./username";

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
