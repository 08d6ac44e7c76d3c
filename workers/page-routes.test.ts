import { readdirSync, readFileSync } from "node:fs";
import type { ServerBuild } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";
import { expect, test } from "vitest";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { createRouteChooser, withRoutes } from "./page-routes";

/** The routes of the build, as listed in its browser manifest. */

await ensureBuilt();
const [manifest = ""] = readdirSync("public/build").filter((file) => file.startsWith("manifest-"));
const assets = JSON.parse(/=(.*);/s.exec(readFileSync(`public/build/${manifest}`, "utf8"))?.[1] ?? "null");
const build = { routes: assets.routes, assets } as ServerBuild;
const chooseRoutes = createRouteChooser(build.routes);

type Routes = ServerBuild["routes"];
type Tree = Parameters<typeof matchRoutes>[0];

function treeOf(routes: Routes, parentId?: string): Tree {
  return Object.values(routes)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: treeOf(routes, id) }));
}

const whole = treeOf(build.routes);
const matchedIn = (tree: Tree, path: string) => matchRoutes(tree, path)?.map(({ route }) => route.id);

/** A path and everything above it, because the browser receives the routes of all of them. */
function withAncestors(path: string): string[] {
  const segments = path.split("/").filter(Boolean);
  return [path, ...segments.map((_, index) => `/${segments.slice(0, index).join("/")}`)];
}

const lineOf = (id: string): string[] => {
  const parent = build.routes[id]?.parentId;
  return parent === undefined ? [id] : [...lineOf(parent), id];
};
const pathOf = (id: string) =>
  `/${lineOf(id)
    .flatMap((each) => build.routes[each]?.path ?? [])
    .join("/")}`;
const paths = Object.keys(build.routes).map((id) =>
  pathOf(id)
    .replace(/:(\w+)/g, "some-$1")
    .replace("*", "nowhere"),
);

const ODD_PATHS = [
  "/",
  "/DASHBOARD",
  "/payees/",
  "//payees",
  "/payees//",
  "/%70ayees",
  "/payees/%ff",
  "/payees/a%2Fb",
  "/payees/x/y/z/nowhere",
  "/verify",
  "/nowhere",
  "/payments/files/verify/certificate",
  "/api/payees/verify",
  "/API/Payees/x/whitelist/",
  "/api/nowhere/at/all",
];

test("every route of the build, and odd paths besides, match as they do among all routes", () => {
  expect(paths.length).toBeGreaterThan(100);
  for (const path of [...paths, ...ODD_PATHS]) {
    const ids = chooseRoutes(path);
    if (ids === undefined) continue;
    const few = treeOf(withRoutes(build, ids).routes);
    for (const each of withAncestors(path))
      expect([each, matchedIn(few, each)]).toEqual([each, matchedIn(whole, each)]);
  }
});

test("a page is given a few routes, an unknown path all of them", () => {
  const most = Math.max(...paths.map((path) => Object.keys(withRoutes(build, chooseRoutes(path) ?? []).routes).length));
  expect(most).toBeLessThanOrEqual(12);
  expect(chooseRoutes("/nowhere")).toBeUndefined();
  expect(chooseRoutes("/api/payees/x/whitelist")?.length).toBeLessThanOrEqual(4);
});
