import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The same order on every machine and in every run: larger files first, as in Vitest's first run. By default, later
 * runs use the remembered durations, and files that share a database run in a different order than on a new machine.
 */
export default class OneOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = new Map(files.map((file) => [file, statSync(file.moduleId).size]));
    return [...files].sort(
      (a, b) =>
        a.project.config.sequence.groupOrder - b.project.config.sequence.groupOrder ||
        (order.get(b) ?? 0) - (order.get(a) ?? 0) ||
        (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}
