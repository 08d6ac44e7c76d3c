import { bsbDirectory, bsbUploadRows, bsbUploads } from "@db/database";
import { afterAll, beforeEach } from "vitest";
import { peek } from "./payees";

/** The directory belongs to no organisation: a test file that loads one leaves none for the files after it. */
export function withDirectoryOfItsOwn() {
  const empty = async () => {
    for (const table of [bsbDirectory, bsbUploads, bsbUploadRows]) await peek.delete(table);
  };
  beforeEach(empty);
  afterAll(empty);
}
