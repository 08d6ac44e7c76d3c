import { linkPaths } from "~/kernel/paths/links";
import type { NotifyServices, Services } from "~/services";

/** Binds the sealed id to this purpose: it opens nothing else. */
const CONTEXT = "stop-alert-emails";

/** The link at the foot of every alert email that stops these emails. It needs no sign-in and tells nothing about the person. */
export async function stopEmailsHref(
  { secrets, config }: Pick<NotifyServices, "secrets" | "config">,
  userId: string,
): Promise<string> {
  const sealed = await secrets.seal(userId, CONTEXT);
  return `${config.appOrigin}${linkPaths.stopEmails(sealed)}`;
}

/** The person whose link it is; undefined for a link that is not ours. */
export async function openStopEmailsToken(
  { secrets }: Pick<Services, "secrets">,
  token: string,
): Promise<string | undefined> {
  try {
    return await secrets.open(token, CONTEXT);
  } catch {
    return undefined;
  }
}
