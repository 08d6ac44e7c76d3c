import { type Cookie, createCookie } from "@remix-run/cloudflare";
import type * as z from "zod";
import type { Services } from "~/services";
import { readCookie } from "./cookies.server";

type Needs = Pick<Services, "config" | "secrets">;

type Options<T> = { name: string; path: string; maxAgeSeconds: number; schema: z.ZodType<T> };

/**
 * Something kept by the browser between two pages that nobody may read or make but us: encrypted, short-lived, and only
 * sent to the page it is for.
 */
export function sealedCookie<T>({ name, path, maxAgeSeconds, schema }: Options<T>) {
  const cookieOf = ({ config }: Needs): Cookie =>
    createCookie(name, {
      path,
      httpOnly: true,
      sameSite: "lax",
      secure: config.appOrigin.startsWith("https://"),
      maxAge: maxAgeSeconds,
    });
  return {
    /** `Set-Cookie` that keeps it. */
    keep: async (services: Needs, value: T): Promise<string> =>
      cookieOf(services).serialize(await services.secrets.seal(JSON.stringify(value), `cookie:${name}`)),
    /** `Set-Cookie` that takes it away. */
    drop: (services: Needs): Promise<string> => cookieOf(services).serialize("", { maxAge: 0 }),
    /** Null for none, and for one that is forged, damaged or of another form. */
    async read(services: Needs, request: Request): Promise<T | null> {
      const envelope = await readCookie<unknown>(cookieOf(services), request);
      if (typeof envelope !== "string" || envelope === "") return null;
      try {
        const text = await services.secrets.open(envelope, `cookie:${name}`);
        return schema.safeParse(JSON.parse(text)).data ?? null;
      } catch {
        return null;
      }
    },
  };
}
