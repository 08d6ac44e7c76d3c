// A backup as a file: lines of JSON, compressed, and encrypted in parts so that a file of any size takes little memory.
//
//   "PPBACKUP1" | id of the key, 16 bytes | salt, 16 bytes | parts
//   a part: length, 4 bytes | last, 1 byte | AES-256-GCM of up to 1 MiB, with its tag
//
// The key of a file is made from the backup key and the salt (HKDF-SHA-256). The number of a part is its nonce. The
// data authenticated with each part is the head of the file and whether the part is the last: a part that was changed,
// moved, left out or cut off is detected.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, renameSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { withUndo } from "../console.mjs";

const MAGIC = Buffer.from("PPBACKUP1");
const ID_BYTES = 16;
const SALT_BYTES = 16;
const HEAD_BYTES = MAGIC.length + ID_BYTES + SALT_BYTES;
const PART_BYTES = 1 << 20;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** The key of BACKUP_KEY: base64url of 32 bytes. */
export function readBackupKey(text) {
  const key = Buffer.from(text ?? "", "base64url");
  if (key.length !== KEY_BYTES || key.toString("base64url") !== (text ?? "").trim())
    throw new Error(
      "BACKUP_KEY is not base64url of 32 bytes. Make one with: node -e \"console.log(require('crypto').randomBytes(32).toString('base64url'))\"",
    );
  return key;
}

/** Identifies the key of a file without revealing it. */
const idOf = (key) => createHash("sha256").update("payeeproof backup key").update(key).digest().subarray(0, ID_BYTES);
const fileKey = (key, salt) => Buffer.from(hkdfSync("sha256", key, salt, "payeeproof backup", KEY_BYTES));

function nonceOf(part) {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(part, 6, 6);
  return nonce;
}

const authenticated = (head, isLast) => Buffer.concat([head, Buffer.from([isLast ? 1 : 0])]);

async function* encrypted(source, key) {
  const salt = randomBytes(SALT_BYTES);
  const head = Buffer.concat([MAGIC, idOf(key), salt]);
  const own = fileKey(key, salt);
  yield head;
  let part = 0;
  const seal = (bytes, isLast) => {
    const cipher = createCipheriv("aes-256-gcm", own, nonceOf(part++)).setAAD(authenticated(head, isLast));
    const body = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    const before = Buffer.alloc(5);
    before.writeUInt32BE(body.length);
    before[4] = isLast ? 1 : 0;
    return Buffer.concat([before, body]);
  };
  let waiting = Buffer.alloc(0);
  for await (const chunk of source) {
    waiting = Buffer.concat([waiting, chunk]);
    for (; waiting.length > PART_BYTES; waiting = waiting.subarray(PART_BYTES))
      yield seal(waiting.subarray(0, PART_BYTES), false);
  }
  yield seal(waiting, true);
}

async function* decrypted(source, key) {
  let waiting = Buffer.alloc(0);
  const chunks = source[Symbol.asyncIterator]();
  /** The next bytes; undefined at the end of the file. */
  const take = async (count) => {
    while (waiting.length < count) {
      const { value, done } = await chunks.next();
      if (done) return undefined;
      waiting = Buffer.concat([waiting, value]);
    }
    const taken = waiting.subarray(0, count);
    waiting = waiting.subarray(count);
    return taken;
  };
  const head = await take(HEAD_BYTES);
  if (!head?.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error("the file is not a PayeeProof backup");
  if (!head.subarray(MAGIC.length, MAGIC.length + ID_BYTES).equals(idOf(key)))
    throw new Error("the file was made with a different BACKUP_KEY");
  const own = fileKey(key, head.subarray(MAGIC.length + ID_BYTES));
  for (let part = 0; ; part++) {
    const before = await take(5);
    const length = before?.readUInt32BE() ?? 0;
    const body = length > TAG_BYTES && length <= PART_BYTES + TAG_BYTES ? await take(length) : undefined;
    if (!before || (!body && length !== TAG_BYTES)) throw new Error("the file is cut off: it is not a complete backup");
    const whole = body ?? (await take(length));
    if (!whole) throw new Error("the file is cut off: it is not a complete backup");
    const isLast = before[4] === 1;
    const decipher = createDecipheriv("aes-256-gcm", own, nonceOf(part)).setAAD(authenticated(head, isLast));
    decipher.setAuthTag(whole.subarray(-TAG_BYTES));
    try {
      yield Buffer.concat([decipher.update(whole.subarray(0, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw new Error("the file was changed: a part of it does not match its seal");
    }
    if (!isLast) continue;
    if (waiting.length > 0 || !(await chunks.next()).done) throw new Error("the file continues after its end");
    return;
  }
}

/** Writes lines as an encrypted file, which gets its name only once it is complete. */
export async function writeSealed(file, lines, key) {
  const text = async function* () {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  };
  const partial = `${file}.partial`;
  const gzip = createGzip({ level: 6 });
  await withUndo(
    () => rmSync(partial, { force: true }),
    async () => {
      await Promise.all([
        pipeline(Readable.from(text()), gzip),
        pipeline(Readable.from(encrypted(gzip, key)), createWriteStream(partial, { mode: 0o600 })),
      ]);
      renameSync(partial, file);
    },
  );
}

/** The lines of a sealed file. @throws Error for another key, and for a file that was changed or cut off */
export async function* readSealed(file, key) {
  const gunzip = createGunzip();
  const source = Readable.from(decrypted(createReadStream(file), key));
  const failed = pipeline(source, gunzip).then(
    () => undefined,
    (error) => error,
  );
  const lines = createInterface({ input: gunzip, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) yield JSON.parse(line);
  const error = await failed;
  if (error) throw error;
}
