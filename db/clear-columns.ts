/**
 * A batch of D1 answers rows as objects: of two columns with one name the second is lost, and a column that is called by
 * a number comes first. This gives such columns names of their own.
 * @param names what the columns of the select are called, as the database said
 * @returns the text whose columns objects keep apart and in order, the same text where they do anyway; undefined where
 *   the text cannot be read (`SELECT *`, a compound select)
 * @example withClearColumns('select "a"."id", "b"."id" from ...', ["id", "id"]) // 'select "a"."id", "b"."id" as "~1" from ...'
 */
export function withClearColumns(sql: string, names: readonly unknown[]): string | undefined {
  const isClear = names.map((name, at) => names.indexOf(name) === at && !/^\d+$/.test(String(name)));
  if (names.length === 0) return undefined;
  if (isClear.every(Boolean)) return sql;
  const list = readSelectList(sql);
  if (list?.items.length !== names.length) return undefined;
  const items = list.items.map((item, at) => (isClear[at] ? item : `${item.trimEnd()} as "~${at}"`));
  if (items.some((item, at) => !isClear[at] && / as "[^"]*" as /i.test(item))) return undefined;
  return `${list.before}${items.join(",")}${list.after}`;
}

type SelectList = { before: string; items: string[]; after: string };

/** The text of a select in three: up to its columns, the columns, and from its FROM on. */
function readSelectList(sql: string): SelectList | undefined {
  const before = /^\s*select\s+(distinct\s+)?/i.exec(sql)?.[0];
  if (before === undefined) return undefined;
  const items: string[] = [];
  let from = before.length;
  let depth = 0;
  for (const { 0: token, index } of sql.matchAll(/'[^']*'|"[^"]*"|[(),]|\b(?:from|union)\b/gi)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (depth === 0 && token === ",") {
      items.push(sql.slice(from, index));
      from = index + 1;
    } else if (depth === 0 && /^from$/i.test(token)) {
      items.push(sql.slice(from, index));
      return { before, items, after: ` ${sql.slice(index)}` };
    }
  }
  return undefined;
}
