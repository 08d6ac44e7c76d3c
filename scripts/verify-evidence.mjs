// node verify-evidence.mjs FILE [ENTRY HASH]: checks what PayeeProof gave you, without PayeeProof and without a
// network. FILE is an evidence pack (JSON), a certificate (certificate.json, or the API's answer), or an export of the
// audit trail (NDJSON). ENTRY and HASH are a seal that you kept. Needs Node 18 or newer and nothing else. Says what was
// altered, and then exits with 1.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** Keys sorted by UTF-16 code units, no spaces, null for what is absent. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

/** The facts of a certificate in each format; later formats have more. */
const CERTIFICATES = ["payeeproof-certificate-1", "payeeproof-certificate-2", "payeeproof-certificate-3"];
const FIRST_PREV_HASH = "0".repeat(64);

/** An email address as it is sealed: masked, with a digest of the salt and the address. */
function digestWord(word, salt) {
  const at = word.lastIndexOf("@");
  return at < 1 ? word : `${[...word][0]}•••${word.slice(at)}#${sha256(`${salt}\n${word}`)}`;
}

/** Details as they were sealed: digests instead of email addresses. */
function digestEmails(value, salt) {
  if (typeof value === "string")
    return value
      .split(/(\s)/)
      .map((word) => digestWord(word, salt))
      .join("");
  if (Array.isArray(value)) return value.map((member) => digestEmails(member, salt));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, digestEmails(member, salt)]));
}

/** Whether an entry matches its hash, as written or with digests in place of addresses, by the entry's salt. */
function isAsSealed({ entry, prevHash, hash, emailSalt }) {
  const fits = (sealed) => sha256(`${prevHash}\n${canonical(sealed)}`) === hash;
  if (emailSalt !== undefined && fits({ ...entry, details: digestEmails(entry.details, emailSalt) })) return true;
  return fits(entry);
}

/** Problems of sealed entries: each must fit its own hash, and the entry before it. */
function problemsOfEntries(entries) {
  const problems = [];
  for (const [at, sealed] of entries.entries()) {
    const { entry, prevHash, isMasked } = sealed;
    const { seq } = entry;
    if (!isMasked && !isAsSealed(sealed)) problems.push(`Entry ${seq} is not what was sealed.`);
    if (seq === 1 && prevHash !== FIRST_PREV_HASH) problems.push("Entry 1 does not begin a trail.");
    const before = entries[at - 1];
    if (!before) continue;
    if (before.entry.seq >= seq) problems.push(`Entry ${seq} is out of order.`);
    if (before.entry.seq + 1 === seq && before.hash !== prevHash)
      problems.push(`Entry ${seq} does not follow entry ${before.entry.seq}.`);
  }
  return problems;
}

/** A seal that was kept, against the entry of that number. */
function problemsOfKept(kept, entries, tip) {
  if (!kept) return [];
  const found = entries.find(({ entry }) => entry.seq === kept.count) ?? (tip?.count === kept.count ? tip : undefined);
  if (!found) return [`Entry ${kept.count}, of which you kept the seal, is not in this file.`];
  if (found.hash !== kept.hash) return [`The seal of entry ${kept.count} is not the one that you kept.`];
  console.log(`The seal that you kept of entry ${kept.count} is in this file.`);
  return [];
}

/** Prints the problems. @returns whether there were none */
function sayAll(problems) {
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

const countProved = (entries) => entries.filter(({ isMasked }) => !isMasked).length;

/** The content of a masked entry is not proved, only its place in the chain. */
function sayMasked(entries, whose) {
  const masked = entries.length - countProved(entries);
  if (masked > 0)
    console.log(
      `NOT proved: the contents of ${masked} of the entries. They are marked as having masked email addresses: only an administrator's ${whose} proves these.`,
    );
}

/** SHA-256, of the data of people's devices and of our texts. */
const sha256Url = (bytes) => createHash("sha256").update(bytes).digest("base64url");

/** The labels of a COSE key (RFC 9052), which has only whole numbers and bytes of CBOR (RFC 8949). */
function readCose(bytes) {
  let at = 0;
  const item = () => {
    const [kind, small] = [bytes[at] >> 5, bytes[at] & 31];
    at += 1;
    const size = small < 24 ? 0 : 2 ** (small - 24);
    const value = size === 0 ? small : bytes.readUIntBE(at, size);
    at += size;
    if (kind === 0) return value;
    if (kind === 1) return -1 - value;
    if (kind === 2) {
      at += value;
      return bytes.subarray(at - value, at).toString("base64url");
    }
    if (kind === 5) return new Map(Array.from({ length: value }, () => [item(), item()]));
    throw new Error("no COSE key");
  };
  return item();
}

/** ES256, EdDSA with Ed25519, and RS256: the algorithms of passkeys. */
function verifies(publicKey, signature, signed) {
  const key = readCose(Buffer.from(publicKey, "base64url"));
  const part = (label) => key.get(label);
  const jwk = {
    1: { kty: "OKP", crv: "Ed25519", x: part(-2) },
    2: { kty: "EC", crv: "P-256", x: part(-2), y: part(-3) },
    3: { kty: "RSA", n: part(-1), e: part(-2) },
  }[part(1)];
  const object = createPublicKey({ key: jwk, format: "jwk" });
  return verify(jwk.kty === "OKP" ? null : "sha256", signed, object, Buffer.from(signature, "base64url"));
}

const [PRESENT, VERIFIED] = [0x01, 0x04];

/** What is wrong with an approval that a passkey signed (WebAuthn level 3, 7.2), as sentences. */
function problemsOfApproval(approval, { organization, entries }) {
  const { challenge, userId, publicKey, clientDataJson, authenticatorData, signature } = approval;
  const problems = [];
  const require = (isTrue, what) => isTrue || problems.push(`The approval ${challenge}: ${what}`);
  try {
    const text = JSON.parse(approval.text);
    require(text.format === "payeeproof-approval-1", "its text is of a format that this script does not know.");
    require(canonical(text) === approval.text &&
      sha256Url(approval.text) === challenge, "its text is not what was signed.");
    require(text.userId === userId &&
      text.organizationId === organization.id, "it is another person's or organisation's.");
    const clientData = Buffer.from(clientDataJson, "base64url");
    const client = JSON.parse(clientData.toString("utf8"));
    require(client.type === "webauthn.get" && client.challenge === challenge, "the passkey signed something else.");
    require(client.origin === text.origin, "it was signed at another address.");
    const data = Buffer.from(authenticatorData, "base64url");
    const host = createHash("sha256").update(new URL(text.origin).hostname).digest();
    require(data.subarray(0, 32).equals(host), "the passkey is another address's.");
    const flags = data[32];
    require((flags & PRESENT) !== 0 && (flags & VERIFIED) !== 0, "the device did not verify the person.");
    const signed = Buffer.concat([data, createHash("sha256").update(clientData).digest()]);
    require(verifies(publicKey, signature, signed), "the signature is not this key's.");
    const key = sha256Url(Buffer.from(publicKey, "base64url"));
    const isSealed = entries.some(
      ({ entry: { action, userId: who, entityType, entityId, details } }) =>
        action === "approval.signed" &&
        who === userId &&
        entityType === text.about.type &&
        entityId === text.about.id &&
        details?.challenge === challenge &&
        details.key === key,
    );
    require(isSealed, "no sealed entry names it with this person and this key.");
  } catch (error) {
    require(false, `it cannot be read (${error.message}).`);
  }
  return problems;
}

function checkPack({ hash, ...pack }, kept) {
  const problems = [];
  if (sha256(canonical(pack)) !== hash) problems.push("The pack was altered after it was made: its hash is different.");
  problems.push(...problemsOfEntries(pack.entries));
  for (const { id, hash: issued, facts } of pack.certificates) {
    if (sha256(canonical(facts)) !== issued) problems.push(`The certificate ${id} is not what was issued.`);
  }
  const approvals = pack.approvals ?? [];
  for (const approval of approvals) problems.push(...problemsOfApproval(approval, pack));
  for (const { entry } of pack.entries) {
    if (entry.action !== "approval.signed") continue;
    if (!approvals.some(({ challenge }) => challenge === entry.details?.challenge))
      problems.push(`Entry ${entry.seq} is of an approval that is not in this pack.`);
  }
  if (!sayAll([...problems, ...problemsOfKept(kept, pack.entries, pack.tip)])) return false;
  console.log(
    `Entries as they were sealed: ${countProved(pack.entries)}. Certificates as they were issued: ${pack.certificates.length}.`,
  );
  for (const { text, userId, publicKey } of approvals) {
    const { madeAt, shows } = JSON.parse(text);
    const said = shows.map(({ term, value }) => `  ${term}: ${value}`).join("\n");
    const key = sha256Url(Buffer.from(publicKey, "base64url"));
    console.log(`Signed by the passkey ${key} of person ${userId}, on a page made ${madeAt}:\n${said}`);
  }
  sayMasked(pack.entries, "pack");
  if (pack.tip)
    console.log(`Newest seal then: entry ${pack.tip.count}, ${pack.tip.hash}. Compare it with a seal that you kept.`);
  return true;
}

/** @param issued the hash that came with the facts, where they came with one */
function checkCertificate(facts, issued) {
  const hash = sha256(canonical(facts));
  if (issued !== undefined && issued !== hash)
    return sayAll([`The certificate ${facts.id} was altered: its facts have a different hash, ${hash}.`]);
  if (issued !== undefined) console.log("The facts have the hash that came with them.");
  console.log(`Record id ${facts.id}\nSHA-256  ${hash}\nCompare both with the certificate.`);
  return true;
}

/** How many of the approvals by passkey were signed with a key that the same person had added earlier. */
function sayKeys(entries) {
  const added = new Set();
  let [all, own] = [0, 0];
  for (const { entry } of entries) {
    const { action, userId, details } = entry;
    if (action === "user.passkey_added" && details?.key) added.add(`${userId} ${details.key}`);
    if (action !== "approval.signed") continue;
    all += 1;
    if (added.has(`${userId} ${details?.key}`)) own += 1;
  }
  if (all > 0)
    console.log(`Approvals signed with a passkey: ${all}, of them by a key that the same person added here: ${own}.`);
}

/** Checks the lines of an export of the whole trail, or of consecutive parts of it. */
function checkTrail(lines, kept) {
  const entries = lines.map(({ prevHash, hash, emailSalt, masked, ...entry }) => ({
    ...{ entry, prevHash, hash, emailSalt },
    isMasked: masked,
  }));
  const problems = problemsOfEntries(entries);
  for (const [at, { entry }] of entries.entries()) {
    const before = entries[at - 1]?.entry.seq;
    if (before !== undefined && entry.seq > before + 1)
      problems.push(`Entries are missing between ${before} and ${entry.seq}.`);
  }
  if (!sayAll([...problems, ...problemsOfKept(kept, entries)])) return false;
  sayKeys(entries);
  const [first, last] = [entries[0], entries.at(-1)];
  console.log(`Entries ${first.entry.seq} to ${last.entry.seq}, none missing between them.`);
  console.log(`Entries as they were sealed: ${countProved(entries)}.`);
  if (first.entry.seq > 1) console.log(`The part before entry ${first.entry.seq} is in another file.`);
  sayMasked(entries, "export");
  console.log(`Newest seal: entry ${last.entry.seq}, ${last.hash}. Compare it with a seal that you kept.`);
  return true;
}

const isTrailLine = (value) => typeof value?.seq === "number" && "prevHash" in value && "hash" in value;

/** @returns whether everything fits */
function check(values, kept) {
  const [value] = values;
  if (values.length > 0 && values.every(isTrailLine) && values.every(({ sentence }) => sentence === undefined))
    return checkTrail(values, kept);
  if (values.length === 1 && value?.format === "payeeproof-evidence-1") return checkPack(value, kept);
  if (values.length === 1 && CERTIFICATES.includes(value?.format)) return checkCertificate(value);
  const answer = value?.certificate ?? value;
  if (values.length === 1 && CERTIFICATES.includes(answer?.facts?.format))
    return checkCertificate(answer.facts, answer.hash ?? "");
  if (values.some((line) => line?.sentence !== undefined))
    return sayAll(["This file is a filtered export, which proves no chain. Export the whole trail."]);
  return sayAll(["This file is neither an evidence pack, nor a certificate, nor an export of the audit trail."]);
}

/** One JSON value, or one per line. */
function read(text) {
  try {
    return [JSON.parse(text)];
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length < 2) throw error;
    return lines.map((line) => JSON.parse(line));
  }
}

/** A seal from the command line; null if it is not one. */
function keptSeal([count, hash]) {
  if (count === undefined) return undefined;
  return /^[1-9]\d*$/.test(count) && /^[0-9a-f]{64}$/.test(hash ?? "") ? { count: Number(count), hash } : null;
}

const [file, ...rest] = process.argv.slice(2);
const kept = keptSeal(rest);
if (!file || kept === null) {
  console.log("Say which file, and the seal that you kept if you kept one: node verify-evidence.mjs FILE [ENTRY HASH]");
  process.exit(2);
}
let values;
try {
  values = read(readFileSync(file, "utf8"));
} catch (error) {
  console.log(`${file} cannot be read as JSON: ${error.message}`);
  process.exit(1);
}
process.exit(check(values, kept) ? 0 : 1);
