import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { totpCode, totpStep } from "~/modules/accounts/identity/proof.server";
import { findFirefox, findWebKit } from "../../scripts/lib/drivers.mjs";
import { aDirectEntryFile } from "../support/aba-files";
import { apiClient } from "../support/api-client";
import { linkFromMail, newTag, PASSWORD } from "../support/journey";
import type { Choose } from "../support/stand-between";
import { openFirefox } from "./firefox";
import { overhear } from "./overhear";
import { type Visitor, visitorOf } from "./visitor";
import type { Session } from "./webdriver";
import { goingOn, openWebKit } from "./webkit";

/** The main journeys in WebKit, with and without scripts, and in Firefox without scripts. */

const place = inject("app");

type Way = { how: string; isThere: boolean; open: () => Promise<Session>; choose?: Choose };

const WAYS: Way[] = [
  { how: "in WebKit", isThere: Boolean(findWebKit().found), open: openWebKit },
  {
    how: "in WebKit without JavaScript",
    isThere: Boolean(findWebKit().found),
    open: openWebKit,
    // WebKit's driver needs scripts itself: those of the pages are lost on their way.
    choose: ({ url = "" }) => ({ isLost: url.endsWith(".js") }),
  },
  {
    how: "in Firefox without JavaScript",
    isThere: Boolean(findFirefox()),
    open: () => openFirefox({ "javascript.enabled": false }),
  },
];

type Walk = {
  robin: Visitor;
  way: Awaited<ReturnType<typeof overhear>>;
  tag: string;
  email: string;
  /** How many of the steps this visitor has begun. */
  begun: number;
};

describe.each(WAYS.filter(({ isThere }) => isThere))("$how", ({ how, open, choose }) => {
  const scripts = !how.includes("without");
  const steps: ((walk: Walk) => Promise<void>)[] = [];
  const inBrowser = goingOn<Walk>({
    async open() {
      const tag = newTag();
      const way = await overhear(place.origin, choose);
      const robin = visitorOf(await open(), way.origin);
      await robin.session.resize(1_100, 900);
      return { robin, way, tag, email: `robin@${tag}.example`, begun: 0 };
    },
    async close({ robin, way }) {
      way.close();
      await robin.session.close();
    },
  });
  afterAll(inBrowser.end);

  /** A test that continues where the previous one ended. A new visitor starts with the first. */
  const step = (name: string, take: (walk: Walk) => Promise<void>) => {
    const number = steps.push(take);
    test(name, () =>
      inBrowser.run(async (walk) => {
        for (const each of steps.slice(walk.begun, number)) {
          walk.begun += 1;
          await each(walk);
          expect(walk.way.trouble).toEqual([]);
        }
      }),
    );
  };

  /** The link of an email, opened where this visitor is. */
  const linkTo = async (to: string, folder: string) => {
    const { pathname, search } = new URL(await linkFromMail(place, to, folder));
    return pathname + search;
  };

  step(
    "a person registers and confirms their address; scripts run or do not, as asked",
    async ({ robin, tag, email }) => {
      await robin.visit("/auth?tab=register");
      await robin.fill("Work email", email);
      await robin.fill("First name", "Robin");
      await robin.fill("Password", PASSWORD);
      await robin.fill("Confirm password", PASSWORD);
      await robin.fill("Organisation name", `Organisation ${tag}`);
      await robin.press("I accept the Terms and Conditions");
      await robin.press("Register");
      await robin.arrives("/dashboard");
      const run = await robin.session.run(
        () => "__remixRouter" in window || document.querySelector(".slow-bar") !== null,
      );
      if (!scripts) expect(run).toBe(false);
      if (how.includes("Firefox")) {
        expect(await robin.session.run(() => matchMedia("(scripting: none)").matches)).toBe(true);
      }
      await robin.visit(await linkTo(email, "/confirm-email/"));
      await robin.press("Confirm my address");
      await robin.arrives("/dashboard");
    },
  );

  step("what the policy refuses is told", async ({ robin, way }) => {
    await robin.session.run(() => {
      const image = document.createElement("img");
      image.src = "http://elsewhere.example/a.png";
      document.body.appendChild(image);
    });
    await expect.poll(() => way.trouble.join()).toMatch(/refused by the policy: .*elsewhere\.example/);
    way.trouble.length = 0;
  });

  step("bank details become an authorised payment, and changed ones hold it", async ({ robin, tag }) => {
    await robin.visit("/payees/verify");
    await robin.fill("Account name", "Coastline Timber Pty Ltd");
    await robin.fill("BSB", "062-000");
    await robin.fill("Account number", "12345678");
    // The bank's name moves the content below it.
    if (scripts) await robin.sees("Commonwealth Bank of Australia");
    await robin.fill("Payee name", "Coastline Timber");
    await robin.fill("Email", `accounts@${tag}.example`);
    await robin.press("Add and verify");
    await robin.arrives("/verifications/[0-9a-f-]{36}");
    await robin.sees("Confirmation of Payee");
    await robin.press("Approve");
    await robin.arrives("/verifications/pending");

    await robin.visit("/payments/new");
    await robin.press("Coastline Timber");
    await robin.fill("Amount", "1,250.00");
    await robin.fill("Reference", "INV-2041");
    await robin.press("Check and record");
    await robin.arrives("/payments/[0-9a-f-]{36}");
    await robin.sees("Authorised");
    await robin.press("Coastline Timber");
    await robin.press("Edit");
    await robin.arrives("/payees/[0-9a-f-]{36}/edit");
    await robin.fill("Account number", "87654321");
    await robin.press("Save");
    await robin.press("Change the bank details");
    await robin.arrives("/payees/[0-9a-f-]{36}");

    await robin.visit("/payments/new");
    await robin.press("Coastline Timber");
    await robin.fill("Amount", "980.00");
    await robin.fill("Reference", "INV-2042");
    await robin.press("Check and record");
    await robin.arrives("/payments/[0-9a-f-]{36}");
    await robin.sees("Why this payment is held");
  });

  step("a payment file is uploaded, decided and cleared, and has its certificate", async ({ robin }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-upload-"));
    const file = path.join(folder, "friday.aba");
    const line = { title: "A Stranger Pty Ltd", accountNumber: "70123456", amount: 500_00, reference: "F-1" };
    writeFileSync(file, aDirectEntryFile([line]));
    await robin.visit("/payments/files");
    await robin.session.type("main input[type=file]", file);
    await robin.press("Upload and check");
    await robin.sees("friday.aba");
    await robin.press("The payee is neither whitelisted nor verified");
    // The address changes a moment before the page does: what is typed then belongs to the page that leaves.
    await robin.sees("Held for: The payee is neither whitelisted nor verified");
    await robin.fill("Reason", "Called them");
    await robin.press("Approve 1");
    await robin.sees("1 payment approved");
    await robin.press("Clear 1 for the bank");
    await robin.sees("Download the cleared file");
    const { pathname } = new URL(await robin.session.address());
    await robin.visit(`${pathname}/certificate`);
    await robin.sees("friday.aba");
    rmSync(folder, { recursive: true, force: true });
  });

  step("a payee opens the link in an email and says that these are not their details", async ({ robin, email }) => {
    const client = apiClient(place.origin);
    expect((await client.post("/api/login", { email, password: PASSWORD })).status).toBe(200);
    const to = `pay@${newTag()}.example`;
    const payee = { name: "Kestrel Glass", accountName: "Kestrel Glass Pty Ltd", bsb: "062000", email: to };
    const { body } = await client.post("/api/payees", { ...payee, accountNumber: "70000123" });
    await client.post(`/api/verifications/${body.verification.id}/send-link`, { channel: "email" });
    await robin.visit(await linkTo(to, "/verify/"));
    await robin.sees("062-000");
    await robin.fill("What is wrong", "We closed this account.");
    await robin.press("These are not my details");
    await robin.sees("Thank you for telling us");
    const known = await client.get(`/api/verifications/${body.verification.id}`);
    expect(known.body).toMatchObject({ disputedByPayeeAt: expect.any(String) });
  });

  step("a person turns on two-step sign-in, logs out, and signs in with both steps", async ({ robin, email }) => {
    await robin.visit("/profile/two-step");
    await robin.fill("Current password", PASSWORD);
    await robin.press("Set up");
    await robin.sees("Turn on");
    const shown = await robin.session.run(() => document.querySelector("main")?.innerText ?? "");
    const secret = (/((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})/.exec(shown)?.[1] ?? "").replaceAll(" ", "");
    await robin.fill("Code", await totpCode(secret, totpStep(Date.now())));
    await robin.fill("Current password", PASSWORD);
    await robin.press("Turn on");
    await robin.sees("Keep these recovery codes now");
    const codes = await robin.session.run(() => document.querySelector("main")?.innerText ?? "");
    const [recovery = ""] = /(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}/.exec(codes) ?? [];

    await robin.visit("/payees");
    await robin.press("My Account");
    await robin.press("Logout");
    await robin.arrives("/");
    await robin.visit("/auth");
    // The button that shows the password is there once the page answers.
    if (scripts) await robin.sees("Show");
    await robin.fill("Email", email);
    await robin.fill("Password", PASSWORD);
    await robin.press("Login");
    await robin.arrives("/auth/two-step");
    await robin.fill("Code", recovery);
    await robin.press("Continue");
    await robin.arrives("/dashboard");
  });

  step("Back after logging out shows nothing of before, over plain http too", async ({ robin }) => {
    await robin.visit("/payees");
    await robin.sees("Coastline Timber");
    await robin.visit("/payments");
    await robin.sees("Coastline Timber");
    await robin.press("My Account");
    await robin.press("Logout");
    await robin.arrives("/");
    for (const before of ["/payments", "/payees"]) {
      await robin.session.back();
      const isShown = await robin.session
        .run(() => document.body.checkVisibility() && document.body.innerText.includes("Coastline Timber"))
        .catch(() => false);
      expect(isShown).toBe(false);
      await robin.session.until(
        `the page to log in instead of ${before}`,
        (next) => location.pathname === "/auth" && location.search === `?next=${encodeURIComponent(next)}`,
        before,
      );
    }
  });
});
