import type { TestProject } from "vitest/node";
import { ensureBuilt } from "../../scripts/lib/build.mjs";

/** Tests of the built Worker never run against an old build, whichever command started them; in watch mode too. */
export default async function setup(project: TestProject): Promise<void> {
  await ensureBuilt();
  project.onTestsRerun(() => ensureBuilt());
}
