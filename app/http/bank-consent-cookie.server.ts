import { createCookie } from "@remix-run/cloudflare";
import * as z from "zod";
import { folders } from "~/kernel/paths/folders";
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

/** `Set-Cookie` for the page that leads to the bank. */
export function keepBankHandover(services: Config, handover: BankHandover): Promise<string> {
  return cookieOf(services).serialize(handover);
}

/** Null for none, an old or a forged one. */
export async function readBankHandover(services: Config, request: Request): Promise<BankHandover | null> {
  return handoverSchema.safeParse(await readCookie<unknown>(cookieOf(services), request)).data ?? null;
}
