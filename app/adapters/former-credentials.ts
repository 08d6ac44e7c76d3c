import { type Fetch, readLimitedText } from "./http-client";

const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * A list of credentials: the first is used, and a party that refuses it is called once more with each of the others. So
 * a new one can be listed before the party knows it, and the old one stays until then.
 *
 * @param spell how the credential is encoded in the `Authorization` header or the form, if not literally
 */
export function withFormer(
  list: readonly string[],
  fetch: Fetch,
  spell = (credential: string) => credential,
): { current: string; fetch: Fetch } {
  const [current, ...former] = list;
  if (current === undefined) throw new Error("a credential is missing");
  if (former.length === 0) return { current, fetch };
  return {
    current,
    async fetch(request) {
      const text = request.body === null ? undefined : await request.clone().text();
      let answer = await fetch(request);
      for (const credential of former) {
        if (!(await isRefused(answer))) break;
        const again = replaced(request, text, spell(current), spell(credential));
        if (!again) break;
        await answer.body?.cancel();
        answer = await fetch(again);
      }
      return answer;
    },
  };
}

/** 401, or the 400 with which a token endpoint rejects a client (RFC 6749, section 5.2). */
async function isRefused(answer: Response): Promise<boolean> {
  if (answer.status !== 400) return answer.status === 401;
  const body = await readLimitedText(answer.clone(), MAX_REFUSAL_BYTES);
  return "text" in body && /invalid_client|unauthorized_client/.test(body.text);
}

/** The same request with another credential; undefined if the request contains none, e.g. only a token. */
function replaced(request: Request, text: string | undefined, from: string, to: string): Request | undefined {
  const header = request.headers.get("authorization");
  const form = encodeURIComponent(from);
  const isInHeader = header === from || header?.endsWith(` ${from}`) === true;
  const isInForm = text?.includes(`=${form}`) === true;
  if (!isInHeader && !isInForm) return undefined;
  const headers = new Headers(request.headers);
  if (isInHeader) headers.set("authorization", `${header.slice(0, -from.length)}${to}`);
  const body = isInForm ? text.replace(`=${form}`, `=${encodeURIComponent(to)}`) : text;
  return new Request(request.url, {
    method: request.method,
    headers,
    body,
    redirect: "manual",
    signal: request.signal,
  });
}
