import { createCookie, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { linkPaths } from "~/kernel/paths/links";
import { folders } from "~/kernel/paths/site";
import { UpstreamError } from "~/kernel/upstream-error";
import type { Services } from "~/services";
import { readCookie } from "./cookies.server";

/**
 * Where a payee's browser is to go after our form: the policy for forms allows no redirect to another site, so the
 * address waits here for the page that leads there. Signed, so that nobody can lead people elsewhere from our page.
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
  /** Null where no bank check waits for the payee. */
  start(): Promise<BankHandover | null>;
  /** The link's own page, with what it is to remember in its address. */
  back(seen: Record<string, string>): Response;
}

/**
 * Leads a payee who has answered on to the bank. The answer is safe already, so a provider that cannot be reached only
 * delays this step: the link's page says so and offers it again.
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

/** Whether `goToBank` led back to this page because the provider could not be reached. */
export const bankWasUnavailable = (url: URL): boolean => url.searchParams.get("bank") === "unavailable";

/** Null for none, an old or a forged one. */
export async function readBankHandover(services: Config, request: Request): Promise<BankHandover | null> {
  return handoverSchema.safeParse(await readCookie<unknown>(cookieOf(services), request)).data ?? null;
}
