import type { TestProject } from "vitest/node";
import { findBrowser } from "../../scripts/lib/browser.mjs";
import { newStateDir, removeStateDir } from "../../scripts/lib/copy.mjs";
import { startLocalApp } from "../support/local-app";

declare module "vitest" {
  interface ProvidedContext {
    app: { origin: string; simulators: string; stateDir: string };
  }
}

/** One copy of the app for all tests, with its own data: the given one, or a new one. By name: passkeys need one. */
export default async function setup(project: TestProject) {
  // Unpacks a browser from an npm package once, because test files that start together would run it while it is
  // unpacked.
  await findBrowser();
  const { APP_UNDER_TEST } = process.env;
  if (APP_UNDER_TEST) {
    project.provide("app", JSON.parse(APP_UNDER_TEST));
    return;
  }
  const stateDir = newStateDir();
  const app = await startLocalApp(stateDir, undefined, { APP_HOST: "localhost" });
  project.provide("app", { origin: app.origin, simulators: app.simulators, stateDir });
  return async () => {
    await app.stop();
    removeStateDir(stateDir);
  };
}
