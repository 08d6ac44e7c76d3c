import { isUniqueError } from "@db/errors";
import type { Services } from "~/services";
import { usernameFrom, usernameWithSuffix } from "./username";

/** So many people may want the same username at the very same moment. */
const TRIES = 8;

/** Writes a new person under the username that their address suggests, or under one like it that is free. */
export async function withFreeUsername(
  services: Pick<Services, "ids">,
  email: string,
  write: (username: string) => Promise<void>,
): Promise<void> {
  const suggested = usernameFrom(email);
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(attempt === 1 ? suggested : usernameWithSuffix(suggested, services.ids.secret()));
    } catch (error) {
      if (!isUniqueError(error, "users.username") || attempt === TRIES) throw error;
    }
  }
}
