// The contents of a backup: the schema and every row, independent of the database engine.

/** Internal tables of the database engine. */
const OWN = /^(sqlite_|_cf_|libsql_|__drizzle)/;
const PAGE = 500;
const LARGEST_PAGE_BYTES = 4_000_000;

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** A value as JSON; an object if JSON has no such type. */
function toJson(value) {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { int: String(value) };
  }
  if (typeof value === "number") return { real: value };
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return { blob: Buffer.from(value).toString("base64") };
  return value;
}

/**
 * The lines of a backup: a head, each table with its rows, and an end that counts them.
 * @param ask runs a statement with its values and returns rows as lists; integers as bigint
 */
export async function* backupLines(ask, { takenAt, source }) {
  const master = (
    await ask("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
  )
    .map(([type, name, table, sql]) => ({ type, name, table, sql }))
    .filter(({ name, table }) => !OWN.test(name) && !OWN.test(table));
  const tables = [];
  for (const { name } of master.filter(({ type }) => type === "table")) {
    const columns = (await ask(`SELECT name, hidden, pk FROM pragma_table_xinfo(${literal(name)})`)).map(
      ([column, hidden, pk]) => ({ name: column, isStored: Number(hidden) === 0, key: Number(pk) }),
    );
    const parents = await ask(`SELECT DISTINCT "table" FROM pragma_foreign_key_list(${literal(name)})`);
    const keys = columns.filter(({ key }) => key > 0).sort((a, b) => a.key - b.key);
    tables.push({
      name,
      columns: columns.filter(({ isStored }) => isStored).map((column) => column.name),
      // A table without a primary key is read by the engine's row id.
      keys: keys.length > 0 ? keys.map((column) => column.name) : ["rowid"],
      parents: parents.map(([parent]) => parent),
    });
  }
  const ordered = inOrder(tables);
  yield {
    backup: 1,
    takenAt,
    source,
    schema: master.map(({ type, name, table, sql }) => ({ type, name, table, sql })),
  };
  const counts = {};
  for (const table of ordered) {
    yield { table: table.name, columns: table.columns, keys: table.keys };
    let count = 0;
    for await (const rows of pagesOf(ask, table)) {
      count += rows.length;
      for (const row of rows) yield row;
    }
    counts[table.name] = count;
  }
  yield { end: true, counts };
}

/** Filled last: until then, the app considers the database unusable. */
const LAST = ["database_state", "d1_migrations"];

/** Orders a table after those that it references. */
function inOrder(tables) {
  const known = new Set(tables.map(({ name }) => name));
  const done = new Set();
  const ordered = [];
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name, parents }) =>
        !done.has(name) && parents.every((parent) => parent === name || done.has(parent) || !known.has(parent)),
    );
    if (next.length === 0) throw new Error("tables refer to each other in a circle: no order fills them");
    for (const table of next) done.add(table.name);
    ordered.push(...next);
  }
  const isLast = ({ name }) => LAST.includes(name);
  return [...ordered.filter((table) => !isLast(table)), ...ordered.filter(isLast)];
}

async function* pagesOf(ask, { name, columns, keys }) {
  const list = columns.map(quoted).join(", ");
  const key = keys.map((each) => (each === "rowid" ? "rowid" : quoted(each))).join(", ");
  let size = PAGE;
  for (let after; ; ) {
    const where = after ? `WHERE (${key}) > (${keys.map(() => "?").join(", ")})` : "";
    const rows = await ask(
      `SELECT ${key}, ${list} FROM ${quoted(name)} ${where} ORDER BY ${key} LIMIT ${size}`,
      after ?? [],
    );
    const asked = size;
    after = rows.at(-1)?.slice(0, keys.length);
    const page = rows.map((row) => row.slice(keys.length).map(toJson));
    yield page;
    if (rows.length < asked) return;
    // Rows of some tables are large, so a page is limited to the size of a response.
    const bytes = JSON.stringify(page).length;
    size = Math.max(1, Math.min(PAGE, Math.floor((asked * LARGEST_PAGE_BYTES) / Math.max(bytes, 1))));
  }
}

function literal(value) {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  if (typeof value === "object") {
    if ("int" in value) return value.int;
    // The shortest text that reads as the same number, as a real.
    if ("real" in value) return Number.isInteger(value.real) ? `${value.real}.0` : String(value.real);
    return `X'${Buffer.from(value.blob, "base64").toString("hex")}'`;
  }
  if (value.includes("\0")) return `CAST(X'${Buffer.from(value).toString("hex")}' AS TEXT)`;
  return `'${value.replaceAll("'", "''")}'`;
}

/** Less than the largest statement that D1 accepts (100,000 bytes). */
const STATEMENT_BYTES = 90_000;
const PIECE_CHARACTERS = 20_000;

/**
 * The statements that fill an empty database from the lines of a backup: tables and what must be unique first, because keys
 * refer to it, then rows, other indexes, and triggers last, so that none of them counts or refuses a row.
 * @param tail statements after all, e.g. what puts the app on hold
 */
export async function* restoreStatements(lines, { tail = [], onEnd } = {}) {
  const iterator = lines[Symbol.asyncIterator]();
  const { value: head } = await iterator.next();
  if (head?.backup !== 1) throw new Error("the file is a backup of a kind that this version does not know");
  const make = (wanted) => head.schema.filter(wanted).map(({ sql }) => sql);
  const isUnique = ({ type, sql }) => type === "index" && /^\s*CREATE\s+UNIQUE/i.test(sql);
  yield* make(({ type }) => type === "table");
  yield* make(isUnique);
  let table;
  let waiting = [];
  let bytes = 0;
  const flush = function* () {
    if (waiting.length > 0) yield `${table.insert} ${waiting.join(",\n")}`;
    waiting = [];
    bytes = 0;
  };
  let end;
  const counts = {};
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    const line = next.value;
    if (!Array.isArray(line)) {
      yield* flush();
      if (line.end) {
        end = line;
        break;
      }
      const list = line.columns.map(quoted).join(", ");
      table = {
        name: line.table,
        columns: line.columns,
        keys: line.keys,
        insert: `INSERT INTO ${quoted(line.table)} (${list}) VALUES`,
      };
      counts[table.name] = 0;
      continue;
    }
    counts[table.name] += 1;
    const row = `(${line.map(literal).join(", ")})`;
    const size = Buffer.byteLength(row);
    if (size > STATEMENT_BYTES) {
      yield* flush();
      yield* inPieces(table, line);
      continue;
    }
    if (bytes + size > STATEMENT_BYTES) yield* flush();
    waiting.push(row);
    bytes += size + 2;
  }
  if (!end) throw new Error("the backup has no end: it is not complete");
  for (const [name, count] of Object.entries(end.counts))
    if (counts[name] !== count)
      throw new Error(`the backup says ${count} rows of ${name} and holds ${counts[name] ?? 0}`);
  yield* make((each) => each.type === "index" && !isUnique(each));
  yield* make(({ type }) => type === "trigger");
  yield* tail;
  onEnd?.({ takenAt: head.takenAt, counts });
}

/** A row that is too large for one statement: its long texts are appended piece by piece. */
function* inPieces({ name, columns, keys, insert }, row) {
  const isLong = (value) => typeof value === "string" && value.length > PIECE_CHARACTERS;
  const first = row.map((value) => (isLong(value) ? piecesOf(value)[0] : value));
  const rest = `(${first.map(literal).join(", ")})`;
  if (Buffer.byteLength(rest) > STATEMENT_BYTES) throw new Error(`a row of ${name} is too large to be restored`);
  yield `${insert} ${rest}`;
  const where = keys.map((key) => `${quoted(key)} = ${literal(row[columns.indexOf(key)])}`).join(" AND ");
  for (const [at, value] of row.entries()) {
    if (!isLong(value)) continue;
    for (const piece of piecesOf(value).slice(1)) {
      yield `UPDATE ${quoted(name)} SET ${quoted(columns[at])} = ${quoted(columns[at])} || ${literal(piece)} WHERE ${where}`;
    }
  }
}

/** Splits a long text without splitting a character. */
function piecesOf(text) {
  const pieces = [];
  for (let from = 0; from < text.length; ) {
    const last = text.charCodeAt(from + PIECE_CHARACTERS - 1);
    const to = from + PIECE_CHARACTERS - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
