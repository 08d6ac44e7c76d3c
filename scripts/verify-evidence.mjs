// node verify-evidence.mjs FILE [ENTRY HASH]: checks what PayeeProof gave you, without PayeeProof and without a network. FILE is
// an evidence pack (JSON), a certificate (certificate.json, or the API's answer), or an export of the audit trail (NDJSON).
// ENTRY and HASH are a seal that you kept. Needs Node 18 or newer and nothing else. Says what was altered, and ends with 1 then.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** Keys sorted by UTF-16 code units, no spaces, null for what is absent. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

/** Facts of a certificate, by format: later ones state more. */
const CERTIFICATES = ["payeeproof-certificate-1", "payeeproof-certificate-2", "payeeproof-certificate-3"];
const FIRST_PREV_HASH = "0".repeat(64);

/** Sentences about sealed entries that do not fit: each its own hash, and each the one before it. */
function problemsOfEntries(entries) {
  const problems = [];
  for (const [at, { entry, prevHash, hash, isMasked }] of entries.entries()) {
    const { seq } = entry;
    if (!isMasked && sha256(`${prevHash}\n${canonical(entry)}`) !== hash)
      problems.push(`Entry ${seq} is not what was sealed.`);
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

/** Says the problems. @returns whether there were none */
function sayAll(problems) {
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

const countProved = (entries) => entries.filter(({ isMasked }) => !isMasked).length;

/** What a masked entry says may be anything: only its place in the chain is proved. */
function sayMasked(entries, whose) {
  const masked = entries.length - countProved(entries);
  if (masked > 0)
    console.log(
      `NOT proved: what stands in ${masked} of the entries. They are marked as having masked email addresses: only an administrator's ${whose} proves these.`,
    );
}

function checkPack({ hash, ...pack }, kept) {
  const problems = [];
  if (sha256(canonical(pack)) !== hash)
    problems.push("The pack was altered after it was made: its hash is another one.");
  problems.push(...problemsOfEntries(pack.entries));
  for (const { id, hash: issued, facts } of pack.certificates) {
    if (sha256(canonical(facts)) !== issued) problems.push(`The certificate ${id} is not what was issued.`);
  }
  if (!sayAll([...problems, ...problemsOfKept(kept, pack.entries, pack.tip)])) return false;
  console.log(
    `Entries as they were sealed: ${countProved(pack.entries)}. Certificates as they were issued: ${pack.certificates.length}.`,
  );
  sayMasked(pack.entries, "pack");
  if (pack.tip)
    console.log(`Newest seal then: entry ${pack.tip.count}, ${pack.tip.hash}. Compare it with a seal that you kept.`);
  return true;
}

/** @param issued the hash that came with the facts, where they came with one */
function checkCertificate(facts, issued) {
  const hash = sha256(canonical(facts));
  if (issued !== undefined && issued !== hash)
    return sayAll([`The certificate ${facts.id} was altered: its facts have another hash, ${hash}.`]);
  if (issued !== undefined) console.log("The facts have the hash that came with them.");
  console.log(`Record id ${facts.id}\nSHA-256  ${hash}\nCompare both with the certificate.`);
  return true;
}

/** Lines of an export of the whole trail, or of parts of it one after the other. */
function checkTrail(lines, kept) {
  const entries = lines.map(({ prevHash, hash, masked, ...entry }) => ({ entry, prevHash, hash, isMasked: masked }));
  const problems = problemsOfEntries(entries);
  for (const [at, { entry }] of entries.entries()) {
    const before = entries[at - 1]?.entry.seq;
    if (before !== undefined && entry.seq > before + 1)
      problems.push(`Entries are missing between ${before} and ${entry.seq}.`);
  }
  if (!sayAll([...problems, ...problemsOfKept(kept, entries)])) return false;
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

/** One value, or one a line. */
function read(text) {
  try {
    return [JSON.parse(text)];
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length < 2) throw error;
    return lines.map((line) => JSON.parse(line));
  }
}

/** A seal as it stands on the command line. @returns null where it is none */
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
