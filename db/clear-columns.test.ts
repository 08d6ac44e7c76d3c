import { expect, test } from "vitest";
import { withClearColumns } from "./read-together";

test.each([
  ['select "a"."id", "b"."name" from "a"', ["id", "name"], 'select "a"."id", "b"."name" from "a"'],
  ['select "a"."id", "b"."id" from "a"', ["id", "id"], 'select "a"."id", "b"."id" as "~1" from "a"'],
  ["SELECT 1 FROM t WHERE x = ?", ["1"], 'SELECT 1 as "~0" FROM t WHERE x = ?'],
  [
    `select distinct "a"."id", coalesce("a"."x", ',(from') , (SELECT "id" FROM "c" LIMIT 1) from "a" order by "a"."id"`,
    ["id", "coalesce", "id"],
    `select distinct "a"."id", coalesce("a"."x", ',(from') , (SELECT "id" FROM "c" LIMIT 1) as "~2" from "a" order by "a"."id"`,
  ],
])("%s", (sql, names, clear) => {
  expect(withClearColumns(sql, names)?.replace(/\s+/g, " ")).toBe(clear.replace(/\s+/g, " "));
});

test.each([
  ["a star", 'select * from "a" join "b"', ["id", "id"]],
  ["a common table", 'with "x" as (select 1) select "x"."id", "x"."id" from "x"', ["id", "id"]],
  ["two columns of one name that was given to them", 'select 1 as "n", 2 as "n" from "a"', ["n", "n"]],
  ["no columns", 'select "id" from "a"', []],
])("a text that cannot be read stays as it is: %s", (_, sql, names) => {
  expect(withClearColumns(sql, names)).toBeUndefined();
});
