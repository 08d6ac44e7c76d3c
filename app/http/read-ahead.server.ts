import type { Actor, AppConfig } from "~/services-and-actor";
import { bearerOf, findTokenHash, type RequestScope } from "./context.server";

/** The facts about a person that reading needs. */
export type Reader = Pick<Actor, "userId" | "organizationId" | "timeZone">;

type Scope = RequestScope & { request: Request };

/** The person of each session or API token at its last use, by the hash of its secret. */
const lastReaders = new WeakMap<AppConfig, Map<string, Reader>>();
const MOST_READERS = 1_000;

/** Remembers whose a session or API token is, once the database has said so. */
export function rememberReader({ config }: { config: AppConfig }, tokenHash: string, reader: Reader): void {
  const readers = lastReaders.get(config) ?? new Map<string, Reader>();
  lastReaders.set(config, readers);
  if (!readers.has(tokenHash) && readers.size >= MOST_READERS) readers.clear();
  const { userId, organizationId, timeZone } = reader;
  readers.set(tokenHash, { userId, organizationId, timeZone });
}

async function findLastReader(scope: Scope): Promise<Reader | undefined> {
  const bearer = bearerOf(scope.request);
  const tokenHash = await (bearer === undefined ? findTokenHash(scope) : scope.services.secrets.hashToken(bearer));
  return tokenHash === undefined ? undefined : lastReaders.get(scope.services.config)?.get(tokenHash);
}

/**
 * Starts reading for the person to whom the session belonged last time, in the same database call that looks up whose
 * it is now. The result is returned only to that same person, organisation and time zone once the database confirms
 * them; otherwise it is discarded and read again. The guards still decide.
 *
 * Only for reading, because the work may be wasted.
 * @returns a function that gives the answer, once the person is known
 * @example const listing = readAhead(scope, (reader) => listPayees(services, reader, query));
 *   const actor = await pageMember(scope);
 *   const list = await listing(actor);
 */
export function readAhead<T>(scope: Scope, read: (reader: Reader) => Promise<T>): (reader: Reader) => Promise<T> {
  const begun = findLastReader(scope).then((reader) => {
    const answer = reader && read(reader);
    // If the result is discarded, nobody handles its rejection.
    answer?.catch(() => {});
    return reader && answer && { reader, answer };
  });
  begun.catch(() => {});
  return async (reader) => {
    const early = await begun;
    return early && isSame(early.reader, reader) ? early.answer : read(reader);
  };
}

const isSame = (one: Reader, other: Reader) =>
  one.userId === other.userId && one.organizationId === other.organizationId && one.timeZone === other.timeZone;
