import * as z from "zod";
import type { SimulatedCall } from "../party";
import type { Mail, Mailbox } from "./mailbox";

const MAX_KEY_LENGTH = 256;

const mailSchema = z.object({
  from: z.string().min(3),
  to: z.union([z.string(), z.array(z.string()).min(1).max(50)]),
  subject: z.string(),
  html: z.string().optional(),
  text: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

const ERROR_NAMES: Record<number, string> = {
  400: "validation_error",
  401: "missing_api_key",
  429: "rate_limit_exceeded",
  500: "application_error",
};

/** The provider's error body. */
export function mailError(
  status: number,
  message: string,
  name = ERROR_NAMES[status] ?? "internal_server_error",
): Response {
  return Response.json({ statusCode: status, name, message }, { status });
}

/** POST /emails as Resend documents it: the same key within 24 hours answers the first answer and sends nothing. */
export function receiveMail(
  mailbox: Mailbox,
  { request, body }: SimulatedCall,
  onReceived: (mail: Mail) => void,
): Response {
  if (!/^Bearer \S+$/.test(request.headers.get("authorization") ?? "")) {
    return mailError(401, "Missing API key in the authorization header");
  }
  const key = request.headers.get("idempotency-key");
  if (key !== null && (key === "" || key.length > MAX_KEY_LENGTH)) {
    return mailError(400, "The key must be between 1-256 chars.", "invalid_idempotency_key");
  }
  const known = key === null ? undefined : mailbox.recall(key);
  if (known && known.body !== body) {
    return mailError(409, "Same idempotency key used with a different request payload.", "invalid_idempotent_request");
  }
  if (known) return Response.json({ id: known.mailId });

  const parsed = mailSchema.safeParse(parseJson(body));
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join(".") ?? "body";
    return mailError(422, `Missing or invalid \`${field}\` field.`, "missing_required_field");
  }
  const { to, subject, html = "", text = "", headers = {} } = parsed.data;
  const mail = mailbox.receive({ to: typeof to === "string" ? to : to.join(", "), subject, html, text, headers });
  if (key !== null) mailbox.remember(key, mail.id, body);
  onReceived(mail);
  return Response.json({ id: mail.id });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
