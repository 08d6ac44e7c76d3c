import { statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * What runs first: tests whose schedules walk over the rows of every organisation, while the database that all files
 * share is small (among the rows of a hundred other files they work three times as long), and the longest journeys,
 * which would run alone at the end.
 */
const FIRST: readonly string[] = [
  "app/modules/records/reports/report-counts.workers.test.ts",
  "tests/routes/audit.workers.test.ts",
  "tests/routes/invoice-payments.workers.test.ts",
  "workers/sample-story.workers.test.ts",
  "app/modules/core/housekeeping.workers.test.ts",
  "app/modules/records/audit-trail/kept-seals.workers.test.ts",
  "app/modules/payees/bsb-updates/bsb-updates.workers.test.ts",
  "app/modules/accounts/billing/subscription-life.workers.test.ts",
  "tests/e2e/accessibility.test.ts",
  "tests/e2e/black-box.test.ts",
  "tests/e2e/journey.test.ts",
];
// A file that was renamed would silently lose its place.
for (const file of FIRST) statSync(path.join(ROOT, file));

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = FIRST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place < 0 ? FIRST.length : place;
};

/**
 * The same order on every machine and in every run: larger files first, as in Vitest's first run. By default, later
 * runs use the remembered durations, and files that share a database run in a different order than on a new machine.
 */
export default class OneOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map((file) => [file, statSync(file.moduleId).size]));
    return [...files].sort(
      (a, b) =>
        a.project.config.sequence.groupOrder - b.project.config.sequence.groupOrder ||
        placeOf(a) - placeOf(b) ||
        (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) ||
        (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}
