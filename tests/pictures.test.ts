import { readdirSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";

const help = readFileSync("app/routes/_public+/help.tsx", "utf8");
const named = [...help.matchAll(/<Screenshot\s+name="([a-z-]+)"\s+alt="([^"]+)"/g)];

test("every picture of the help page is there, small, and described; and no other is shipped", () => {
  expect(named.map(([, name]) => `${name}.jpg`).sort()).toEqual(readdirSync("public/pictures").sort());
  for (const [, name, alt = ""] of named) {
    expect(statSync(`public/pictures/${name}.jpg`).size).toBeLessThan(100 * 1024);
    expect(alt.length).toBeGreaterThan(60);
  }
});
