import { expect, test } from "vitest";
import { answerFromCopy } from "~/http/kept-pages.server";
import { PUBLIC_HEADERS } from "~/kernel/public-headers";
import { PASSWORD } from "../support/people";
import { testServices } from "../support/services";
import { aBrowser, textOf } from "../support/worker";

/**
 * Public pages come from memory for visitors who carry nothing but their colours; nobody gets what belongs to somebody
 * else.
 */

const ORIGIN = "http://app.test";
const NONCE = /nonce-([^']+)'/;
const nonceOf = (response: Response) => NONCE.exec(response.headers.get("Content-Security-Policy") ?? "")?.[1] ?? "";

test("a page with a nonce in it is drawn for each visitor", async () => {
  const services = testServices();
  const visit = (nonce: string) =>
    answerFromCopy(
      {
        services,
        nonce,
        requestId: "r",
        readNotices: async () => [],
        request: new Request(`${services.config.appOrigin}/x`),
      },
      async () =>
        new Response(`<script nonce="${nonce}"></script>`, {
          headers: { "Content-Type": "text/html; charset=utf-8", ...PUBLIC_HEADERS },
        }),
    );
  for (const nonce of ["first-nonce", "second-nonce"]) {
    const answer = await visit(nonce);
    expect([answer.headers.get("ETag"), await answer.text()]).toEqual([null, `<script nonce="${nonce}"></script>`]);
  }
});

test("a browser that has a page without scripts is told so, and is given the policy that belongs to it", async () => {
  const visitor = aBrowser(ORIGIN);
  const first = await visitor.get("/");
  const etag = first.headers.get("ETag") ?? "";
  expect([first.status, etag]).toEqual([200, expect.stringMatching(/^W\/"\w{32}"$/)]);
  expect(await first.text()).not.toContain("nonce=");
  const again = await visitor.get("/", { "If-None-Match": `"other", ${etag}` });
  expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", etag]);
  expect([nonceOf(first), nonceOf(again)]).toEqual([expect.stringMatching(/.{20}/), expect.stringMatching(/.{20}/)]);
  expect(nonceOf(again)).not.toBe(nonceOf(first));
  const changed = await visitor.get("/", { "If-None-Match": 'W/"other"' });
  expect([changed.status, (await changed.text()).length]).toEqual([200, expect.any(Number)]);
  const head = await visitor.send("/", { method: "HEAD" });
  expect([head.status, await head.text(), head.headers.get("ETag")]).toEqual([200, "", etag]);
});

test("colours are kept apart", async () => {
  const visitor = aBrowser(ORIGIN);
  await visitor.get("/about");
  const saved = await visitor.submit("/theme", { theme: "dark", redirectTo: "/about" });
  expect(saved.status).toBeLessThan(400);
  const dark = await visitor.get("/about");
  expect(await dark.text()).toContain('data-theme="dark"');
  visitor.jar.clear();
  const plain = await visitor.get("/about", { "If-None-Match": dark.headers.get("ETag") ?? "" });
  expect(plain.status).toBe(200);
  expect(await plain.text()).not.toContain('data-theme="dark"');
});

test("a visitor who is signed in, or has a message waiting, gets a page of their own and leaves no copy", async () => {
  const browser = aBrowser(ORIGIN);
  const plain = await browser.get("/about");
  const before = await textOf(plain);
  const registered = await browser.post("/api/register", {
    email: `kept@${crypto.randomUUID()}.example`,
    firstName: "Zebedee",
    password: PASSWORD,
    newOrganisation: { name: "Kept Pages" },
  });
  expect(registered.status).toBe(201);
  const etag = plain.headers.get("ETag") ?? "";
  const mine = await browser.get("/about", { "If-None-Match": etag });
  expect([mine.status, mine.headers.get("ETag")]).toEqual([200, null]);
  expect(await mine.text()).toContain("Dashboard");
  const ended = await browser.submit("/logout", {});
  expect([ended.status, browser.jar.has("flash")]).toEqual([303, true]);
  const told = await browser.get("/about", { "If-None-Match": etag });
  expect(await textOf(told)).toContain("Logged out successfully");
  browser.jar.clear();
  expect(await textOf(await browser.get("/about"))).toBe(before);
});

test("an address with a question, and a refused form, are drawn each time", async () => {
  const visitor = aBrowser(ORIGIN);
  await visitor.get("/");
  expect((await visitor.get("/?step=2")).headers.get("ETag")).toBeNull();
  const refused = await visitor.submit("/contact", { name: "Kim of the form" }, { Accept: "text/html" });
  expect(refused.status).toBe(400);
  expect(await (await visitor.get("/contact")).text()).not.toContain("Kim of the form");
});
