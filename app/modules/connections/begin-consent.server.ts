import type { ConnectableSystem } from "~/kernel/accounting-system";
import { notFound } from "~/kernel/app-error";
import { toBase64Url } from "~/kernel/base64";
import { appPaths } from "~/kernel/paths/app";
import type { Services } from "~/services";

type Beginning = Pick<Services, "accounting" | "ids" | "config">;

/** Where the person comes back to; the same when the code is exchanged. */
export const returnUrlOf = ({ config }: Pick<Services, "config">, system: ConnectableSystem): string =>
  `${config.appOrigin}${appPaths.integrationReturn(system)}`;

/**
 * The consent page of a system, and what the browser keeps until the person comes back: a state that proves that this
 * browser began, and the verifier of the proof key (RFC 7636).
 * @throws AppError 404 for a system that is not set up here
 */
export async function beginConsent(services: Beginning, system: ConnectableSystem, writesNotes = false) {
  const adapter = services.accounting[system];
  if (!adapter) throw notFound();
  const [state, codeVerifier] = [services.ids.secret(), services.ids.secret()];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  const address = adapter.consentUrl({
    state,
    writesNotes,
    codeChallenge: toBase64Url(new Uint8Array(digest)),
    returnUrl: returnUrlOf(services, system),
  });
  return { address, kept: { state, codeVerifier } };
}

/** Whether the system has a history that an app can write notes into. */
export const canWriteNotes = ({ accounting }: Pick<Services, "accounting">, system: ConnectableSystem): boolean =>
  accounting[system]?.addNote !== undefined;
