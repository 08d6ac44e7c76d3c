import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { createTransport } from "nodemailer";

const REMEMBERED = 10_000;

/** The HTTP provider's name for each way in which the server rejects an email. */
function refusalOf({ code, command, responseCode = 0, message }) {
  const isFinal = responseCode >= 500;
  // The problem is our account or our sender, which an operator can fix.
  if (code === "EAUTH" || command?.startsWith("AUTH") || command?.startsWith("MAIL FROM")) return [403, message];
  return [isFinal ? 422 : 503, message];
}

const HERE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Outside this machine, connections must be encrypted, and a hanging server is abandoned before the app retries. */
function withBounds(url) {
  const at = new URL(url);
  const bounds = {
    connectionTimeout: 8_000,
    greetingTimeout: 8_000,
    socketTimeout: 30_000,
    requireTLS: !HERE.test(at.hostname),
  };
  for (const [name, value] of Object.entries(bounds)) at.searchParams.set(name, String(value));
  return at.href;
}

/**
 * Accepts emails like an HTTP provider, from this machine only, and passes them to an SMTP server. SMTP has no
 * idempotency keys: repeats are recognised while this process runs, and later have the same Message-ID, so that mail
 * programs can recognise them.
 * @param {string} url smtps://USER:PASSWORD@HOST, or smtp:// with STARTTLS
 * @returns the relay's address and token for the app, and a function that stops the relay
 */
export async function startRelay(url) {
  const key = randomBytes(32).toString("base64url");
  const transport = createTransport(withBounds(url));
  const sent = new Map();

  function send({ from, to, subject, html, text, reply_to: replyTo, headers }, idempotencyKey) {
    const domain = /@([^\s>]+)/.exec(from)?.[1] ?? "localhost";
    const id = createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 32);
    return transport.sendMail({ from, to, subject, html, text, replyTo, headers, messageId: `<${id}@${domain}>` });
  }

  /** The same answer for the same key, even while the first call is still running. */
  function sendOnce(email, idempotencyKey) {
    const before = sent.get(idempotencyKey);
    if (before) return before;
    const sending = send(email, idempotencyKey);
    sent.set(idempotencyKey, sending);
    sending.catch(() => sent.delete(idempotencyKey));
    if (sent.size > REMEMBERED) sent.delete(sent.keys().next().value);
    return sending;
  }

  const server = createServer(async (request, response) => {
    const answer = (status, body) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${key}`) return answer(401, { message: "not this app" });
    try {
      const { messageId } = await sendOnce(JSON.parse(await text(request)), String(request.headers["idempotency-key"]));
      answer(200, { id: messageId });
    } catch (error) {
      const [status, message] = refusalOf(error);
      answer(status, { name: error.code, message });
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    variables: {
      MAIL_TRANSPORT: "http",
      MAIL_BASE_URL: `http://127.0.0.1:${server.address().port}`,
      MAIL_API_KEY: key,
    },
    close: () => {
      server.close();
      transport.close();
    },
  };
}
