import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text as readText } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { canonicalJson } from "~/kernel/encodings";
import { checkNewPasskey } from "~/kernel/webauthn.server";
import { asSealed, FIRST_PREV_HASH, forReader, sealText, toExportedEntry } from "~/modules/core/audit/entry";
import { certificateText } from "~/modules/records/certificates/certificate";
import { type EvidencePack, packText } from "~/modules/records/evidence-pack.server";
import { FACTS } from "../tests/support/certificates";
import { aSoftwareKey, okpKey, RSA_2048, rsaKey, type Wrong } from "../tests/support/software-authenticator";

const sha256Url = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64url");
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-evidence-"));
afterAll(() => rmSync(folder, { recursive: true }));

const row = (id: string) => ({
  id,
  userId: "u1",
  organizationId: "o1",
  action: "payee.added",
  entityType: "payee",
  entityId: "p1",
  details: { name: "Acme Timber", accountNumber: "•••••678" },
  ipAddress: "203.0.113.7",
  userAgent: null,
  requestId: null,
  createdAt: 1_795_000_000_000,
});

type Sealed = { row: Parameters<typeof toExportedEntry>[0]; seal: { seq: number; prevHash: string; hash: string } };

const aSealedEntry = ({ row, seal: { seq, prevHash, hash } }: Sealed, sentence: string) => ({
  ...{ entry: toExportedEntry(row, seq), prevHash, hash, isMasked: false, sentence },
});

function aPack(): EvidencePack {
  const first = sha256(sealText(row("e1"), 1, FIRST_PREV_HASH));
  const second = sha256(sealText(row("e2"), 2, first));
  const sentence = "Mira Okafor added Acme Timber.";
  const pack = {
    format: "payeeproof-evidence-1",
    madeAt: "2026-11-20T03:00:00.000Z",
    organization: { id: "o1", name: "Harbour Joinery Pty Ltd" },
    timeZone: "Australia/Sydney",
    subject: { type: "payee", id: "p1", name: "Acme Timber" },
    entries: [
      aSealedEntry({ row: row("e1"), seal: { seq: 1, prevHash: FIRST_PREV_HASH, hash: first } }, sentence),
      aSealedEntry({ row: row("e2"), seal: { seq: 2, prevHash: first, hash: second } }, sentence),
    ],
    isComplete: true,
    certificates: [{ id: FACTS.id, hash: sha256(certificateText(FACTS)), facts: FACTS }],
    approvals: [],
    tip: { count: 2, hash: second },
  } as const satisfies Omit<EvidencePack, "hash">;
  return { ...pack, hash: sha256(packText(pack)) };
}

/** In a thread, which starts in a fraction of a process's time; in a process of its own it is run from the site. */
async function run(text: string, ...seal: string[]) {
  const file = path.join(folder, "evidence.json");
  writeFileSync(file, text);
  const thread = new Worker("./scripts/verify-evidence.mjs", { argv: [file, ...seal], stdout: true });
  const [said, [status]] = await Promise.all([readText(thread.stdout), once(thread, "exit") as Promise<[number]>]);
  return { status, said };
}

/** The pack with the hash that a forger would write over it. */
const forged = ({ hash: _, ...pack }: EvidencePack): string =>
  JSON.stringify({ ...pack, hash: sha256(packText(pack)) });

test("a pack as it was made is confirmed", async () => {
  const { status, said } = await run(JSON.stringify(aPack(), null, 1));
  expect(said).toContain("Entries as they were sealed: 2. Certificates as they were issued: 1.");
  expect(status).toBe(0);
});

test("one altered byte is found, wherever it stands", async () => {
  const text = JSON.stringify(aPack());
  for (const [from, to] of [
    ["•••••678", "•••••679"],
    ["added Acme", "edded Acme"],
    ['"isComplete":true', '"isComplete":1234'],
    ['"score":86', '"score":96'],
  ] as const) {
    expect(text).toContain(from);
    const { status, said } = await run(text.replace(from, to));
    expect(said).toContain("The pack was altered after it was made");
    expect(status).toBe(1);
  }
});

test("an altered entry or certificate is found though the pack's own hash was made to fit", async () => {
  const pack = aPack();
  const [first, second] = pack.entries;
  const [certificate] = pack.certificates;
  if (!first || !second || !certificate) throw new Error("the pack has two entries and a certificate");
  const details = { ...first.entry.details, accountNumber: "•••••679" };
  const edited = { ...first, entry: { ...first.entry, details } };
  expect(await run(forged({ ...pack, entries: [edited, second] }))).toMatchObject({
    status: 1,
    said: expect.stringContaining("Entry 1 is not what was sealed."),
  });
  expect((await run(forged({ ...pack, entries: [second, first] }))).said).toContain("Entry 1 is out of order.");
  const facts = { ...FACTS, payee: { ...FACTS.payee, bsb: "082-001" } };
  expect((await run(forged({ ...pack, certificates: [{ ...certificate, facts }] }))).said).toContain(
    `The certificate ${FACTS.id} is not what was issued.`,
  );
});

test("the facts of a certificate get their hash, and anything else a sentence", async () => {
  expect((await run(certificateText(FACTS))).said).toContain(sha256(certificateText(FACTS)));
  expect(await run("{}")).toMatchObject({ status: 1, said: expect.stringContaining("neither an evidence pack") });
  expect(await run("no JSON")).toMatchObject({ status: 1, said: expect.stringContaining("cannot be read as JSON") });
});

test("a certificate's JSON as the API answers it is checked against the hash that came with it", async () => {
  const hash = sha256(certificateText(FACTS));
  const answer = { certificate: { id: FACTS.id, title: "Certificate", hash, facts: FACTS } };
  expect(await run(JSON.stringify(answer, null, 1))).toMatchObject({
    status: 0,
    said: expect.stringContaining("The facts have the hash that came with them."),
  });
  expect((await run(JSON.stringify(answer.certificate))).status).toBe(0);
  const forgedFacts = { ...FACTS, payee: { ...FACTS.payee, bsb: "082-001" } };
  expect(await run(JSON.stringify({ certificate: { ...answer.certificate, facts: forgedFacts } }))).toMatchObject({
    status: 1,
    said: expect.stringContaining(`The certificate ${FACTS.id} was altered`),
  });
  const { hash: _, ...without } = answer.certificate;
  expect((await run(JSON.stringify(without))).status).toBe(1);
});

const SITE = { origin: "https://app.payeeproof.example", rpId: "app.payeeproof.example" };

/** A pack with one approval that a passkey signed, as the app makes it. `wrong`: what its device says instead. */
async function aSignedPack(wrong: Wrong = {}) {
  const key = await aSoftwareKey(SITE);
  const text = canonicalJson({
    format: "payeeproof-approval-1",
    decision: "approve_payment",
    organizationId: "o1",
    userId: "u1",
    about: { type: "payment", id: "pay1" },
    shows: [
      { term: "Payee", value: "Acme Timber" },
      { term: "Amount", value: "$1,250.00" },
    ],
    origin: SITE.origin,
    madeAt: "2026-11-20T02:59:00.000Z",
    nonce: "n".repeat(43),
  });
  const challenge = sha256Url(Buffer.from(text));
  const made = await checkNewPasskey(JSON.parse(await key.make(challenge)), { ...SITE, challenge });
  if (!("value" in made)) throw new Error(made.refused);
  const { publicKey } = made.value;
  const { clientDataJSON, ...response } = JSON.parse(await key.sign(challenge, wrong)).response;
  const approval = { text, challenge, userId: "u1", publicKey, clientDataJson: clientDataJSON, ...response };
  const signedRow = {
    ...row("e3"),
    action: "approval.signed",
    entityType: "payment",
    entityId: "pay1",
    details: { decision: "approve_payment", challenge, key: sha256Url(Buffer.from(publicKey, "base64url")) },
  };
  const { hash: _, ...pack } = aPack();
  const prevHash = pack.entries.at(-1)?.hash ?? "";
  const seal = { seq: 3, prevHash, hash: sha256(sealText(signedRow, 3, prevHash)) };
  const entry = aSealedEntry({ row: signedRow, seal }, "Mira signed.");
  return { pack: { ...pack, entries: [...pack.entries, entry], approvals: [approval] }, approval, signedRow };
}

const withHash = (pack: Omit<EvidencePack, "hash">) => JSON.stringify({ ...pack, hash: sha256(packText(pack)) });

test("an approval that a passkey signed is proved offline, and the script says what was approved", async () => {
  const { pack } = await aSignedPack();
  const { status, said } = await run(withHash(pack));
  expect(said).toMatch(/Signed by the passkey [\w-]{43} of person u1, on a page made 2026-11-20T02:59:00.000Z:/);
  expect(said).toContain("  Payee: Acme Timber\n  Amount: $1,250.00\n");
  expect(status).toBe(0);
});

test("a signed approval that was altered, exchanged, taken out or made by another device is named", async () => {
  const { pack, approval } = await aSignedPack();
  const other = await aSignedPack();
  const flipped = Buffer.from(approval.signature, "base64url");
  flipped.writeUInt8((flipped.at(-1) ?? 0) ^ 1, flipped.length - 1);
  const forgeries: [object[], string][] = [
    [[{ ...approval, text: approval.text.replace("1,250.00", "9,250.00") }], "its text is not what was signed."],
    [[{ ...approval, signature: flipped.toString("base64url") }], "the signature is not this key's."],
    [[{ ...approval, publicKey: other.approval.publicKey }], "the signature is not this key's."],
    [[{ ...approval, userId: "u2" }], "it is another person's or organisation's."],
    [[other.approval], "no sealed entry names it with this person and this key."],
    [[{ ...approval, publicKey: "AA" }], "it cannot be read"],
    [[], "Entry 3 is of an approval that is not in this pack."],
  ];
  for (const [approvals, sentence] of forgeries) {
    const { status, said } = await run(withHash({ ...pack, approvals } as never));
    expect(said).toContain(sentence);
    expect(status).toBe(1);
  }
  for (const [wrong, sentence] of [
    [{ verified: false }, "the device did not verify the person."],
    [{ origin: "https://app.payeepr00f.example" }, "it was signed at another address."],
    [{ rpId: "payeepr00f.example" }, "the passkey is another address's."],
    [{ challenge: "A".repeat(43) }, "the passkey signed something else."],
    [{ type: "webauthn.create" }, "the passkey signed something else."],
  ] as const) {
    expect((await run(withHash((await aSignedPack(wrong)).pack))).said).toContain(sentence);
  }
});

test("keys of Ed25519 and RSA are proved too", async () => {
  for (const [kind, sign] of [
    [{ name: "Ed25519" }, { name: "Ed25519" }],
    [RSA_2048, { name: "RSASSA-PKCS1-v1_5" }],
  ] as const) {
    const pair = (await crypto.subtle.generateKey(kind, true, ["sign", "verify"])) as CryptoKeyPair;
    const jwk = await crypto.subtle.exportKey("jwk", pair.publicKey);
    const cose = jwk.kty === "OKP" ? okpKey(jwk.x ?? "") : rsaKey(jwk.n ?? "", jwk.e ?? "");
    const signer = async (bytes: Uint8Array<ArrayBuffer>) =>
      new Uint8Array(await crypto.subtle.sign(sign, pair.privateKey, bytes));
    const { pack, approval, signedRow } = await aSignedPack({ signer });
    const details = { ...signedRow.details, key: sha256Url(cose) };
    const prevHash = pack.entries[1]?.hash ?? "";
    const seal = { seq: 3, prevHash, hash: sha256(sealText({ ...signedRow, details }, 3, prevHash)) };
    const entry = aSealedEntry({ row: { ...signedRow, details }, seal }, "Mira signed.");
    const approvals = [{ ...approval, publicKey: cose.toString("base64url") }];
    const text = withHash({ ...pack, entries: [...pack.entries.slice(0, 2), entry], approvals });
    expect(await run(text)).toMatchObject({ status: 0, said: expect.stringContaining("Amount: $1,250.00") });
  }
});

test("an export of the trail says which approvals were signed by a key of the same person", async () => {
  const details = { name: "Phone", key: "k1" };
  const entries = [
    { ...row("a1"), action: "user.passkey_added", details },
    { ...row("a2"), action: "approval.signed", details: { key: "k1" } },
    { ...row("a3"), action: "approval.signed", details: { key: "k2" } },
  ];
  let prevHash = FIRST_PREV_HASH;
  const lines = entries.map((each, at) => {
    const hash = sha256(sealText(each, at + 1, prevHash));
    const line = { ...toExportedEntry(each, at + 1), prevHash, hash };
    prevHash = hash;
    return line;
  });
  expect((await run(ndjson(lines))).said).toContain(
    "Approvals signed with a passkey: 2, of them by a key that the same person added here: 1.",
  );
});

/** The trail as it is exported, one entry a line. */
function aTrail(): { lines: object[]; hashes: string[] } {
  const hashes = [FIRST_PREV_HASH];
  const lines = ["e1", "e2", "e3"].map((id, at) => {
    const prevHash = hashes.at(-1) ?? "";
    hashes.push(sha256(sealText(row(id), at + 1, prevHash)));
    return { ...toExportedEntry(row(id), at + 1), prevHash, hash: hashes.at(-1) };
  });
  return { lines, hashes };
}
const ndjson = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

test("an export of the trail is checked as a chain, and a seal that was kept against it", async () => {
  const { lines, hashes } = aTrail();
  const [, , second = ""] = hashes;
  expect(await run(ndjson(lines))).toMatchObject({
    status: 0,
    said: expect.stringContaining("Entries 1 to 3, none missing between them.\nEntries as they were sealed: 3."),
  });
  expect((await run(ndjson(lines), "2", second)).said).toContain("The seal that you kept of entry 2 is in this file.");
  expect(await run(ndjson(lines), "2", "f".repeat(64))).toMatchObject({
    status: 1,
    said: expect.stringContaining("The seal of entry 2 is not the one that you kept."),
  });
  expect(await run(ndjson(lines), "4", second)).toMatchObject({
    status: 1,
    said: expect.stringContaining("not in this file"),
  });
  expect((await run(ndjson(lines), "two", second)).status).toBe(2);
});

/** A trail whose second entry names two people, as it is exported for an administrator and for somebody who sees no addresses. */
async function aTrailWithAddresses() {
  const salt = "s".repeat(43);
  const details = { invited: ["jo@outside.example"], note: "Jo, not sam@inside.example" };
  const rows = [row("e1"), { ...row("e2"), details }, row("e3")].map((each, at) => ({
    ...each,
    emailSalt: at === 1 ? salt : null,
  }));
  const [forAdmin, forOthers] = [[] as Record<string, unknown>[], [] as Record<string, unknown>[]];
  let prevHash = FIRST_PREV_HASH;
  for (const [at, each] of rows.entries()) {
    const seq = at + 1;
    const hash = sha256(sealText(await asSealed(each), seq, prevHash));
    for (const [lines, whole] of [
      [forAdmin, true],
      [forOthers, false],
    ] as const) {
      const read = await forReader(each, { seq, prevHash, hash }, { whole });
      const about = { ...(read.salt && { emailSalt: read.salt }), ...(read.isMasked && { masked: true }) };
      lines.push({ ...toExportedEntry(read.row, seq), prevHash, hash, ...about });
    }
    prevHash = hash;
  }
  return { forAdmin, forOthers };
}

test("a read-only person's export proves every entry, shows no address and nothing that one could be guessed with", async () => {
  const { forAdmin, forOthers } = await aTrailWithAddresses();
  for (const lines of [forAdmin, forOthers]) {
    const { status, said } = await run(ndjson(lines));
    expect(said).toContain("Entries as they were sealed: 3.");
    expect(said).not.toContain("NOT proved");
    expect(status).toBe(0);
  }
  const shown = JSON.stringify(forOthers);
  expect(shown).not.toMatch(/jo@outside|sam@inside|emailSalt|sssss|masked/);
  expect(forOthers[1]?.details).toEqual({
    invited: [expect.stringMatching(/^j•••@outside\.example#[0-9a-f]{64}$/)],
    note: expect.stringMatching(/^Jo, not s•••@inside\.example#[0-9a-f]{64}$/),
  });
});

test("an address, a digest or a salt that was altered in an export is named", async () => {
  const { forAdmin, forOthers } = await aTrailWithAddresses();
  const altered = (lines: readonly object[], from: RegExp, to: string) =>
    lines.map((line) => JSON.parse(JSON.stringify(line).replace(from, to)) as object);
  for (const lines of [
    altered(forAdmin, /jo@outside/, "al@outside"),
    altered(forAdmin, /sssss/, "sssst"),
    altered(forOthers, /#[0-9a-f]{4}/, "#ffff"),
    altered(forOthers, /outside\.example/, "inside.example"),
  ]) {
    expect(await run(ndjson(lines))).toMatchObject({ status: 1, said: expect.stringContaining("Entry 2 is not what") });
  }
});

test("an entry that is altered and said to be masked is not said to be as it was sealed", async () => {
  const { lines } = aTrail();
  const [first, second, third] = lines;
  const { status, said } = await run(
    ndjson([first ?? {}, { ...second, action: "payee.edited", masked: true }, third ?? {}]),
  );
  expect(status).toBe(0);
  expect(said).toContain("Entries as they were sealed: 2.");
  expect(said).toContain("NOT proved: the contents of 1 of the entries.");
});

test("an entry changed in, or taken out of, an export of the trail is named", async () => {
  const { lines } = aTrail();
  const [first = {}, second = {}, third = {}] = lines;
  expect(await run(ndjson([first, { ...second, action: "payee.edited" }, third]))).toMatchObject({
    status: 1,
    said: expect.stringContaining("Entry 2 is not what was sealed."),
  });
  expect(await run(ndjson([first, third]))).toMatchObject({
    status: 1,
    said: expect.stringContaining("Entries are missing between 1 and 3."),
  });
  expect((await run(ndjson([first, third, second]))).status).toBe(1);
  expect((await run(ndjson([{ ...first, sentence: "Mira added Acme." }, second]))).said).toContain("a filtered export");
});
