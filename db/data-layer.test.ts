import { describeDataLayer } from "../tests/support/data-layer-suite";
import { openTestLibsql } from "../tests/support/libsql";

let shared: ReturnType<typeof openTestLibsql> | undefined;

describeDataLayer("data layer on libSQL", () => {
  shared ??= openTestLibsql();
  return shared;
});
