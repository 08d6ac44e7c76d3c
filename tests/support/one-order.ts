import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The same order on every machine and at every run: larger files first, as Vitest begins. Left to itself it goes by what it
 * remembers of earlier runs, and files that share a database then meet each other in another order than on a new machine.
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
