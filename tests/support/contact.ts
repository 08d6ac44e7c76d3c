import { env } from "cloudflare:workers";
import type { ContactMessage } from "~/modules/messages/contact";

/** A visitor's message nobody sent before. */
export function aContactMessage(changes: Partial<ContactMessage> = {}): ContactMessage {
  return {
    firstName: "Mira",
    lastName: "Okafor",
    email: `mira-${crypto.randomUUID()}@harbour.example`,
    company: "Harbour Joinery",
    phone: "02 5550 0142",
    interest: "demo",
    message: "We would like to see it.",
    ...changes,
  };
}

/** What is stored of a visitor. The product never looks messages up by address, so this goes to the database itself. */
export async function storedFrom(email: string): Promise<Record<string, unknown>[]> {
  const { DB } = env as unknown as { DB: D1Database };
  const { results } = await DB.prepare("SELECT * FROM contact_submissions WHERE email = ?").bind(email).all();
  return results;
}
