import { request as callApp, createServer } from "node:http";
import { isIP } from "node:net";

const HOST = "127.0.0.1";

/** Headers that only the runtime and the proxy may set, and those of a single connection. */
const STRIPPED_HEADERS =
  /^(cf-.*|mf-.*|x-forwarded-.*|x-real-ip|true-client-ip|forwarded|host|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect)$/;
/** Node sets these for each connection, because an HTTP/1.0 client, such as nginx, cannot read chunks. */
const OF_ONE_CONNECTION = /^(connection|keep-alive|transfer-encoding)$/i;

/** The runtime's own endpoints, which would let anybody trigger schedules, emails and bindings. */
const RUNTIME_PATHS = /^\/cdn-cgi(\/|$)/;

/** The last address is the one that the proxy saw; anybody can forge those before it. */
function addressOf(request) {
  const last = request.headers["x-forwarded-for"]?.split(",").at(-1).trim() ?? "";
  return isIP(last) ? last : request.socket.remoteAddress;
}

const isRuntimePath = (url) => RUNTIME_PATHS.test(new URL(`http://app${url}`).pathname);

/** Headers as a flat list of names and values, as Node reads and writes them. */
const kept = (raw) => raw.filter((_, at) => !OF_ONE_CONNECTION.test(raw[at - (at % 2)]));

/**
 * A proxy in front of the runtime that passes on the visitor's address as the reverse proxy saw it, and strips forged
 * headers. Closing it waits for open requests.
 * @param {{ port: number, host: string, onGone: () => void }} runtime `port`: where it listens. `host`: the app's own
 * name. `onGone`: it no longer answers
 */
export function createProxy({ port, host, onGone }) {
  const server = createServer((request, response) => {
    function answer(status, headers) {
      // While it closes, the reverse proxy must not reuse a connection.
      response.shouldKeepAlive &&= server.listening;
      return response.writeHead(status, headers);
    }
    const refuse = (status) => answer(status, ["Content-Type", "text/plain"]).end(`${status}\n`);
    const { method, url } = request;
    if (!url.startsWith("/") || !URL.canParse(`http://app${url}`)) return refuse(400);
    if (isRuntimePath(url)) return refuse(404);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !STRIPPED_HEADERS.test(name)),
    );
    Object.assign(headers, { host, "cf-connecting-ip": addressOf(request) });
    // A new connection, because a kept one may be closing, and the posted data would be lost.
    const onward = callApp({ host: HOST, port, method, path: url, headers, agent: false }, (answered) => {
      answer(answered.statusCode, kept(answered.rawHeaders));
      answered.pipe(response);
      answered.on("error", () => response.destroy());
    });
    onward.on("error", (error) => {
      if (error.code === "ECONNREFUSED") onGone();
      if (response.headersSent) response.destroy();
      // The app stops reading a body that is too large, and its answer may be lost with the connection.
      else refuse(request.complete ? 502 : 413);
    });
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  return server;
}
