import { createCookie, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { UpstreamError } from "~/kernel/app-error";
import { linkPaths } from "~/kernel/paths/links";
import { folders } from "~/kernel/paths/site";
import type { Services } from "~/services-and-actor";
import { readCookie } from "./cookies.server";

/**
 * The address to which a payee's browser goes after our form: the form policy allows no redirect to another site, so
 * this cookie keeps the address for the page that leads there. It is signed, so that nobody can use our page to lead
 * people elsewhere.
 */

const MAX_AGE_SECONDS = 10 * 60;

const handoverSchema = z.object({ consentUrl: z.url(), organizationName: z.string() });

export type BankHandover = z.infer<typeof handoverSchema>;

type Config = Pick<Services, "config">;

const cookieOf = ({ config }: Config) =>
  createCookie("bank-consent", {
    path: folders.bankConsent,
    httpOnly: true,
    sameSite: "lax",
    secure: config.appOrigin.startsWith("https://"),
    secrets: config.cookieSecrets,
    maxAge: MAX_AGE_SECONDS,
  });

interface NextStep {
  /** Null when no bank check waits for the payee. */
  start(): Promise<BankHandover | null>;
  /** The link's own page, with these parameters in its address. */
  back(seen: Record<string, string>): Response;
}

/**
 * Leads a payee who has answered to the bank. The answer is stored already, so if the provider cannot be reached, the
 * link's page says so and offers this step again.
 */
export async function goToBank(services: Config & Pick<Services, "log">, { start, back }: NextStep): Promise<Response> {
  try {
    const handover = await start();
    if (!handover) return back({});
    const headers = { "Set-Cookie": await cookieOf(services).serialize(handover) };
    return redirect(linkPaths.bankConsent, { status: 303, headers });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    services.log.warn("bank_consent.unavailable", { error: error.message });
    return back({ bank: "unavailable" });
  }
}

/** True if `goToBank` returned to this page because the provider could not be reached. */
export const bankWasUnavailable = (url: URL): boolean => url.searchParams.get("bank") === "unavailable";

/** Null when there is none, or it is old or forged. */
export async function readBankHandover(services: Config, request: Request): Promise<BankHandover | null> {
  return handoverSchema.safeParse(await readCookie<unknown>(cookieOf(services), request)).data ?? null;
}
