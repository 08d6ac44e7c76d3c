import { expect, test } from "vitest";
import { isUnbound } from "./support/query-watch";

/** The watch over every statement: an organisation's rows are read and written by a bound organisation only. */

test.each([
  ['select "id" from "payees" where "payees"."id" = ?', true],
  ['select "id" from "payees" where "payees"."organizationId" = "verifications"."organizationId"', true],
  ['update "payment_files" set "status" = ? where "payment_files"."id" = ?', true],
  ['delete from "alerts" where "alerts"."id" = ?', true],
  ['select "id" from "payees" where "payees"."organizationId" = ? and "payees"."id" = ?', false],
  ['select "id" from "payees" where "payees"."organizationId" in (?, ?)', false],
  ['select "id" from "users" where "users"."email" = ?', false],
])("%s is unbound: %s", (sql, expected) => {
  expect(isUnbound(sql)).toBe(expected);
});
