// npm run verify-evidence -- FILE.json: checks an evidence pack, or the facts of a certificate (certificate.json), without
// PayeeProof and without a network. Says what was altered, and ends with 1 when something was.
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

/** Sentences about what does not fit; none: everything does. */
function problemsOf({ hash, ...pack }) {
  const problems = [];
  if (sha256(canonical(pack)) !== hash)
    problems.push("The pack was altered after it was made: its hash is another one.");
  for (const { entry, prevHash, hash: seal, isMasked } of pack.entries) {
    if (isMasked) continue;
    if (sha256(`${prevHash}\n${canonical(entry)}`) !== seal)
      problems.push(`Entry ${entry.seq} is not what was sealed.`);
  }
  for (const [at, { entry, prevHash }] of pack.entries.entries()) {
    const before = pack.entries[at - 1];
    if (before && before.entry.seq >= entry.seq) problems.push(`Entry ${entry.seq} is out of order.`);
    if (before && before.entry.seq + 1 === entry.seq && before.hash !== prevHash)
      problems.push(`Entry ${entry.seq} does not follow entry ${before.entry.seq}.`);
  }
  for (const { id, hash: issued, facts } of pack.certificates) {
    if (sha256(canonical(facts)) !== issued) problems.push(`The certificate ${id} is not what was issued.`);
  }
  return problems;
}

/** @returns whether everything fits */
function check(pack) {
  if (CERTIFICATES.includes(pack.format)) {
    console.log(`Record id ${pack.id}\nSHA-256  ${sha256(canonical(pack))}\nCompare both with the certificate.`);
    return true;
  }
  if (pack.format !== "payeeproof-evidence-1") {
    console.log("This file is neither an evidence pack nor the facts of a certificate.");
    return false;
  }
  const problems = problemsOf(pack);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) return false;
  const masked = pack.entries.filter(({ isMasked }) => isMasked).length;
  console.log(
    `Entries as they were sealed: ${pack.entries.length}. Certificates as they were issued: ${pack.certificates.length}.`,
  );
  if (masked > 0)
    console.log(`${masked} of the entries have masked email addresses: only an administrator's pack proves these.`);
  if (pack.tip)
    console.log(`Newest seal then: entry ${pack.tip.count}, ${pack.tip.hash}. Compare it with a seal that you kept.`);
  return true;
}

const [file] = process.argv.slice(2);
if (!file) {
  console.log("Say which file: npm run verify-evidence -- evidence.json");
  process.exit(2);
}
let pack;
try {
  pack = JSON.parse(readFileSync(file, "utf8"));
} catch (error) {
  console.log(`${file} cannot be read as JSON: ${error.message}`);
  process.exit(1);
}
process.exit(check(pack) ? 0 : 1);
