import { createCookie } from "@remix-run/cloudflare";
import { readCookie } from "./cookies.server";

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const cookie = createCookie("theme", { path: "/", sameSite: "lax", httpOnly: true, maxAge: YEAR_SECONDS });

export type Theme = "light" | "dark" | "system";

/** The colours a person chose; "system" follows the device. */
export async function readTheme(request: Request): Promise<Theme> {
  const value = await readCookie<unknown>(cookie, request);
  return value === "light" || value === "dark" ? value : "system";
}

/** `Set-Cookie` that keeps the choice; "system" and anything unknown forget it. */
export function saveTheme(theme: unknown): Promise<string> {
  return theme === "light" || theme === "dark" ? cookie.serialize(theme) : cookie.serialize("", { maxAge: 0 });
}
