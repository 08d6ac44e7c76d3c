import { CsvError, parseCsv } from "./csv.mjs";

const COLUMNS = 8;
const BSB = /^(\d{3})-?(\d{3})$/;
const MNEMONIC = /^[A-Z0-9&]{3}$/;
const FLAGS = /^(?!.*(\S).*\1)[PEH ]{0,3}$/;

// The directory has no column for the status of a branch. Its name ends in the status ("Merged", "96 King William
// Street (Closed)"), and the street says where to pay instead ("Refer to BSB 012-019", "merging with 012-301").
const ENDED = /\s*\(?(merged|closed)\)?$/i;
const REFERRAL = /^(?:refer(?:\s+to)?(?:\s+bsb)?|merging\s+with)\s+(\d{3})-?(\d{3})\b/i;

/** @param {string} text */
const clean = (text) => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

/**
 * @param {string} name
 * @param {string} street
 * @param {string} bsb
 */
function readFate(name, street, bsb) {
  const referral = REFERRAL.exec(street);
  const referredTo = referral && `${referral[1]}${referral[2]}`;
  const successorBsb = referredTo === bsb ? null : referredTo; // "Relocated" rows refer to themselves
  const ended = ENDED.exec(name);
  return {
    name: (ended && name.slice(0, ended.index)) || name,
    street: referral ? null : street || null,
    status: ended ? ended[1].toLowerCase() : successorBsb ? "merged" : "open",
    successorBsb,
  };
}

/** @param {string[]} fields */
function readRow(fields) {
  if (fields.length !== COLUMNS) throw new Error(`${fields.length} columns where the directory has ${COLUMNS}`);
  const [bsbText, mnemonic, name, street, suburb, state, postcode] = fields.map(clean);
  const found = BSB.exec(bsbText);
  if (!found) throw new Error(`"${bsbText}" is not a BSB`);
  if (!MNEMONIC.test(mnemonic)) throw new Error(`"${mnemonic}" is not an institution's mnemonic`);
  if (!name) throw new Error("the name is missing");
  const flags = fields[COLUMNS - 1];
  if (!FLAGS.test(flags)) throw new Error(`"${flags}" are not payment flags (P, E, H)`);

  const bsb = `${found[1]}${found[2]}`;
  return {
    bsb,
    mnemonic,
    ...readFate(name, street, bsb),
    suburb: suburb || null,
    state: state || null,
    postcode: postcode || null,
    paper: flags.includes("P"),
    electronic: flags.includes("E"),
    highValue: flags.includes("H"),
  };
}

/**
 * Reads the BSB directory as AusPayNet publishes it: eight columns without a header (one is skipped if there), bsb,
 * mnemonic, name, street, suburb, state, postcode, payment flags.
 *
 * The flags say which payments a branch takes: P paper, E electronic (direct entry), H high value. A branch that was
 * merged or closed keeps its flags, so check `status` too. All errors are collected, so that a file can be corrected in
 * one go; a file with any error should not be loaded.
 *
 * Source: AusPayNet, BSB directory in CSV form.
 *
 * @param {string} text
 * @returns {{ rows: import("./parse-directory.mjs").DirectoryRow[], errors: string[] }} errors start with their line
 * number
 */
export function parseDirectory(text) {
  let records;
  try {
    records = parseCsv(text);
  } catch (error) {
    if (error instanceof CsvError) return { rows: [], errors: [error.message] };
    throw error;
  }
  if (records[0]?.fields[0]?.trim().toLowerCase() === "bsb") records.shift();

  const rows = [];
  const errors = [];
  const lineOf = new Map();
  for (const { line, fields } of records) {
    try {
      const row = readRow(fields);
      const earlier = lineOf.get(row.bsb);
      if (earlier) throw new Error(`BSB ${fields[0].trim()} is already on line ${earlier}`);
      lineOf.set(row.bsb, line);
      rows.push(row);
    } catch (error) {
      errors.push(`line ${line}: ${error.message}`);
    }
  }
  if (records.length === 0) errors.push("line 1: the file holds no rows");
  return { rows, errors };
}
