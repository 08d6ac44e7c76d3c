import { UpstreamError } from "~/kernel/upstream-error";

type Link = string | null | undefined;
export type Owned = { userId?: string | null; links?: { self?: Link; source?: Link; next?: Link } | null };

const USER_IN_LINK = /\/users\/([^/?#]+)/;

/**
 * Throws `wrong_tenant` when an answer names another provider user than the one asked about.
 *
 * Links that name no user (a job's own address) prove nothing and are passed over.
 */
export function assertBelongsTo(providerUserId: string, answer: Owned, ...otherLinks: Link[]): void {
  const links = [answer.links?.self, answer.links?.source, answer.links?.next, ...otherLinks];
  const named = [answer.userId, ...links.map((link) => userOfLink(link))];
  if (named.some((userId) => userId && userId !== providerUserId)) throw wrongTenant();
}

/** The user that a link of the provider belongs to, e.g. "ea3a81" for ".../users/ea3a81/accounts". */
function userOfLink(link: Link): string | undefined {
  const found = link ? USER_IN_LINK.exec(link)?.[1] : undefined;
  return found === undefined ? undefined : safeDecode(found);
}

export function wrongTenant(): UpstreamError {
  return new UpstreamError("basiq", "wrong_tenant", "the answer is about another record than the one asked for");
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
