import { request as callApp, createServer } from "node:http";
import { isIP } from "node:net";

const HOST = "127.0.0.1";

/** What only the runtime and the proxy may say of a request, and what holds for one connection alone. */
const NOT_THEIRS =
  /^(cf-.*|mf-.*|x-forwarded-.*|x-real-ip|true-client-ip|forwarded|host|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect)$/;
/** Whoever asks in HTTP/1.0, as nginx may, reads no chunks: Node says how long an answer is as each connection can read it. */
const OF_ONE_CONNECTION = /^(connection|keep-alive|transfer-encoding)$/i;

/** The runtime's own addresses: schedules, emails and bindings of whoever asks. */
const INNER = /^\/cdn-cgi(\/|$)/;

/** The last member is what the proxy saw; those before it anybody can write. */
function addressOf(request) {
  const last = request.headers["x-forwarded-for"]?.split(",").at(-1).trim() ?? "";
  return isIP(last) ? last : request.socket.remoteAddress;
}

const isInner = (url) => INNER.test(new URL(`http://app${url}`).pathname);

/** Headers as pairs in a row, as Node reads and writes them. */
const kept = (raw) => raw.filter((_, at) => !OF_ONE_CONNECTION.test(raw[at - (at % 2)]));

/**
 * Stands before the runtime: tells it the visitor's address as the proxy saw it, and lets nobody say more. Closing it waits for
 * what is being answered.
 * @param {{ port: number, host: string, onGone: () => void }} runtime `port`: where it listens. `host`: the app's own name.
 *   `onGone`: it does not answer any more
 */
export function createFront({ port, host, onGone }) {
  const server = createServer((request, response) => {
    function answer(status, headers) {
      // While it closes, the proxy must not go on with a connection that it keeps.
      response.shouldKeepAlive &&= server.listening;
      return response.writeHead(status, headers);
    }
    const refuse = (status) => answer(status, ["Content-Type", "text/plain"]).end(`${status}\n`);
    const { method, url } = request;
    if (!url.startsWith("/") || !URL.canParse(`http://app${url}`)) return refuse(400);
    if (isInner(url)) return refuse(404);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !NOT_THEIRS.test(name)));
    Object.assign(headers, { host, "cf-connecting-ip": addressOf(request) });
    // A connection of its own: one that was kept may just be closing, and what was posted would be lost.
    const onward = callApp({ host: HOST, port, method, path: url, headers, agent: false }, (answered) => {
      answer(answered.statusCode, kept(answered.rawHeaders));
      answered.pipe(response);
      answered.on("error", () => response.destroy());
    });
    onward.on("error", (error) => {
      if (error.code === "ECONNREFUSED") onGone();
      if (response.headersSent) response.destroy();
      // The app reads no more of a body that is too large, and what it answers may be lost with the connection.
      else refuse(request.complete ? 502 : 413);
    });
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  return server;
}
