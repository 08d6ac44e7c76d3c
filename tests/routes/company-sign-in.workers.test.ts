import { expect, test } from "vitest";
import { HOUR_MS } from "~/kernel/dates";
import { loader as payees } from "~/routes/_app+/payees._index";
import { action as begin } from "~/routes/_sign-in+/auth_.company";
import { loader as comeBack } from "~/routes/_sign-in+/auth_.company_.$id_.return";
import { loader as go } from "~/routes/_sign-in+/auth_.company_.go";
import { action as link, loader as linkPage } from "~/routes/_sign-in+/auth_.company_.link";
import { loader as renew } from "~/routes/_sign-in+/auth_.company_.renew";
import { aPerson, PASSWORD } from "../support/people";
import { aWorld } from "../support/simulators";
import { aCompany } from "../support/single-sign-on";

/** The way of a browser to the provider and back, with its cookies, as the routes answer it. */

const world = aWorld();

type Route = (args: never) => Promise<unknown>;
type Sent = { form?: Record<string, string>; params?: Record<string, string> };

/** A browser: it keeps the cookies of both sides, and is told where it is sent. */
function aBrowser() {
  const [ours, theirs] = [new Map<string, string>(), new Map<string, string>()];
  const keep = (jar: Map<string, string>, headers: Headers) => {
    for (const set of headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
  };
  const cookieOf = (jar: Map<string, string>) => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  return {
    ours,
    async open(route: Route, path: string, { form, params = {} }: Sent = {}) {
      const headers = { Cookie: cookieOf(ours), Accept: "text/html" };
      const body = form && new URLSearchParams(form);
      const request = new Request(`${world.config.appOrigin}${path}`, { method: form ? "POST" : "GET", headers, body });
      const origin = { ipAddress: "203.0.113.7", userAgent: "test", requestId: world.ids.next() };
      const args = { request, params, context: { services: world, origin, nonce: "n" } };
      const answer = await route(args as never).catch((thrown: unknown) => thrown);
      if (answer instanceof Response) {
        keep(ours, answer.headers);
        return { to: answer.headers.get("Location") ?? "", data: undefined };
      }
      return { to: "", data: answer as Record<string, unknown> };
    },
    /** What a person does there, or, without a form, what the provider answers by itself. */
    async visit(address: string, form?: Record<string, string>) {
      const init = form
        ? { method: "POST", body: new URLSearchParams({ answer: "allow", lie: "none", ...form }) }
        : { headers: { cookie: cookieOf(theirs) } };
      const answer = await world.ask(new Request(address, init));
      keep(theirs, answer.headers);
      return new URL(answer.headers.get("location") ?? "");
    },
  };
}

/** To the provider by the form of an address, and back. @returns where the person ends */
async function signInWith(browser: ReturnType<typeof aBrowser>, email: string, next = "") {
  const began = await browser.open(begin, "/auth/company", { form: { email, next } });
  expect(began.to).toBe("/auth/company/go");
  const { data } = await browser.open(go, "/auth/company/go");
  const back = await browser.visit(String(data?.address), { email, firstName: "Mira", lastName: "Okafor" });
  const [, , , id = ""] = back.pathname.split("/");
  return browser.open(comeBack, back.pathname + back.search, { params: { id } });
}

test("a browser goes to the provider and comes back signed in, to the page it asked for and to no other site", async () => {
  const { domain } = await aCompany(world);
  const browser = aBrowser();
  expect((await signInWith(browser, `mira@${domain}`, "/payees?q=a")).to).toBe("/payees?q=a");
  expect([...browser.ours.keys()]).toContain("session");
  expect([...browser.ours.keys()]).not.toContain("company-sign-in");
  expect((await signInWith(aBrowser(), `ari@${domain}`, "https://evil.example/")).to).toBe("/dashboard");
  expect((await signInWith(aBrowser(), `bea@${domain}`, "//evil.example/")).to).toBe("/dashboard");
});

test("what another browser brings back signs nobody in, and says so on the login page", async () => {
  const { domain, organization } = await aCompany(world);
  const [one, other] = [aBrowser(), aBrowser()];
  await one.open(begin, "/auth/company", { form: { email: `mira@${domain}`, next: "" } });
  const { data } = await one.open(go, "/auth/company/go");
  const back = await one.visit(String(data?.address), { email: `mira@${domain}` });
  const { to } = await other.open(comeBack, back.pathname + back.search, { params: { id: organization.id } });
  expect(to).toBe("/auth");
  expect([...other.ours.keys()]).not.toContain("session");
});

test("after an hour the page that is asked for leads to the provider and back, without a question", async () => {
  const { domain } = await aCompany(world);
  const browser = aBrowser();
  await signInWith(browser, `mira@${domain}`);
  const before = browser.ours.get("session");
  world.clock.advance(HOUR_MS);
  const { to } = await browser.open(payees, "/payees?q=acme");
  expect(to).toBe(`/auth/company/renew?${new URLSearchParams({ next: "/payees?q=acme" })}`);
  const asked = await browser.open(renew, to);
  expect(new URL(asked.to).searchParams.get("prompt")).toBe("none");
  const back = await browser.visit(asked.to);
  const [, , , id = ""] = back.pathname.split("/");
  expect((await browser.open(comeBack, back.pathname + back.search, { params: { id } })).to).toBe("/payees?q=acme");
  expect(browser.ours.get("session")).not.toBe(before);
  expect((await browser.open(payees, "/payees?q=acme")).to).toBe("");
});

test("a person whom the company removed comes to no session after the hour: the provider asks, and does not let them in", async () => {
  const { domain } = await aCompany(world);
  const browser = aBrowser();
  const email = `gone@${domain}`;
  await signInWith(browser, email);
  await world.visit("/identity/okta/people", { email, intent: "remove" });
  world.clock.advance(HOUR_MS);
  const { to } = await browser.open(payees, "/payees");
  const asked = await browser.open(renew, to);
  const back = await browser.visit(asked.to);
  expect(back.searchParams.get("error")).toBe("login_required");
  const [, , , id = ""] = back.pathname.split("/");
  const led = await browser.open(comeBack, back.pathname + back.search, { params: { id } });
  expect(led.to).toBe(`/auth/company/renew?${new URLSearchParams({ next: "/payees", ask: "yes" })}`);
  const again = await browser.open(renew, led.to);
  expect(new URL(again.to).searchParams.has("prompt")).toBe(false);
  await expect(browser.visit(again.to, { email })).rejects.toThrow("Invalid URL");
});

test("somebody with an account is asked for its password once, on a page of its own", async () => {
  const { domain } = await aCompany(world);
  const { email } = await aPerson(world, { email: `old@${domain}` });
  const browser = aBrowser();
  expect((await signInWith(browser, email, "/payees")).to).toBe("/auth/company/link");
  expect((await browser.open(linkPage, "/auth/company/link")).data).toEqual({ email, asksCode: false });
  const wrong = await browser.open(link, "/auth/company/link", { form: { password: "Wrong-horse-7" } });
  expect(JSON.stringify(wrong.data)).toContain("This is not the password of this account");
  expect((await browser.open(link, "/auth/company/link", { form: { password: PASSWORD } })).to).toBe("/payees");
  expect([...browser.ours.keys()]).not.toContain("company-link");
});
