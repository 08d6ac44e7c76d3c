import * as z from "zod";
import type { Services } from "~/services";
import { flashCookie, readCookie } from "./cookies.server";

const flashSchema = z.object({
  tone: z.enum(["success", "error", "info"]),
  title: z.string().max(200),
  description: z.string().max(500).optional(),
  action: z.object({ label: z.string().max(60), href: z.string().startsWith("/").max(300) }).optional(),
});

/** A message that the next page shows once. */
export type Flash = z.infer<typeof flashSchema>;

type Config = Pick<Services, "config">;

const cookieOf = ({ config }: Config) => flashCookie(config.appOrigin, config.cookieSecrets);

/** `Set-Cookie` for a message on the next page; long texts are clipped. */
export function setFlash(services: Config, flash: Flash): Promise<string> {
  const { description } = flash;
  return cookieOf(services).serialize({ ...flash, description: description?.slice(0, 500) });
}

/** The message waiting for this page, and the `Set-Cookie` that takes it away. */
export async function takeFlash(services: Config, request: Request): Promise<{ flash: Flash; clear: string } | null> {
  const value = await readCookie<unknown>(cookieOf(services), request);
  const flash = flashSchema.safeParse(value);
  if (!flash.success) return null;
  return { flash: flash.data, clear: await cookieOf(services).serialize("", { maxAge: 0 }) };
}
