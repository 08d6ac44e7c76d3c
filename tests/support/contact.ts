import { env } from "cloudflare:workers";
import type { ContactMessage } from "~/modules/messages/contact";

/** A new message from a visitor. */
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

/** A visitor's stored messages. The product never finds messages by address, so this reads the database directly. */
export async function storedFrom(email: string): Promise<Record<string, unknown>[]> {
  const { DB } = env as unknown as { DB: D1Database };
  const { results } = await DB.prepare("SELECT * FROM contact_submissions WHERE email = ?").bind(email).all();
  return results;
}
