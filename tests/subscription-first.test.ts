import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/**
 * A page with an act that needs a live subscription says so before its form, not only in the refusal. The commands are found by
 * what they call; a page is its route with the components that it imports.
 */

const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")));

const read = (file: string) => readFileSync(file, "utf8");

/** The functions that require a live subscription, directly or as the guard of questions to banks. */
const GUARDS = ["requireLiveSubscription", "requireMayAsk"];

/** Exported functions of a file that call a guard, themselves or through another function of the file. */
function commandsIn(file: string): string[] {
  const functions = read(file)
    .split(/\n(?=(?:export )?(?:async )?function )/)
    .flatMap((text) => {
      const [, exported, name] = /^(export )?(?:async )?function (\w+)/.exec(text) ?? [];
      return name ? [{ name, isExported: exported !== undefined, text: text.slice(text.indexOf("(")) }] : [];
    });
  const asking = new Set(GUARDS);
  for (let before = 0; before !== asking.size; ) {
    before = asking.size;
    for (const { name, text } of functions)
      if ([...asking].some((each) => new RegExp(`\\b${each}\\(`).test(text))) asking.add(name);
  }
  return functions.flatMap(({ name, isExported }) => (isExported && asking.has(name) ? [name] : []));
}

/** Automatic questions are skipped without a subscription, so nobody is refused. */
const ASK_AUTOMATICALLY = "app/modules/verifying/bank-checks/ask-automatically.server.ts";

const COMMANDS = filesOf("app/modules", ".server.ts").flatMap((file) =>
  file !== ASK_AUTOMATICALLY && GUARDS.some((guard) => read(file).includes(`${guard}(`)) ? commandsIn(file) : [],
);

/** It has no form: people come to it from the accounting system. */
const WITHOUT_A_FORM = ["app/routes/_app+/integrations.$system_.return.tsx"];

const PAGES = filesOf("app/routes/_app+", ".tsx").filter(
  (file) => !WITHOUT_A_FORM.includes(file) && COMMANDS.some((name) => new RegExp(`\\b${name}\\(`).test(read(file))),
);

test("the commands that need a live subscription, and the pages that call them, are found", () => {
  expect(COMMANDS).toEqual(
    expect.arrayContaining(["addPayee", "recordPayment", "uploadFile", "startBankDataCheck", "askConfirmationOfPayee"]),
  );
  expect(PAGES.length).toBeGreaterThan(11);
});

test.each([...PAGES, "app/routes/_app+/payees.import._index.tsx", "app/routes/_app+/integrations._index.tsx"])(
  "%s says before its form that the subscription has ended",
  (file) => {
    const components = [...read(file).matchAll(/from "~\/(components\/[^"]+)"/g)].map(([, name]) => `app/${name}.tsx`);
    const drawn = [file, ...components.filter((each) => existsSync(each))].map(read);
    expect(drawn.some((text) => text.includes("<SubscriptionFirst"))).toBe(true);
  },
);
