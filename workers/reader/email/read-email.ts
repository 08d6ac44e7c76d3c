import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { sha256Hex } from "~/kernel/encodings";
import type {
  DocumentRead,
  Finding,
  MailAddress,
  ReadAccount,
  ReadAttachment,
  ReadEmail,
  ReadFacts,
} from "~/ports/document-reader";
import { readInvoiceFacts } from "../facts/invoice-facts";
import { findKinds } from "../facts/kinds";
import { findLooseNumbers } from "../facts/loose-numbers";
import { findAbns, findBpay, findEmails, findForeign, findPayIds, type WithChars } from "../facts/other-numbers";
import { findOtherWays, paymentLinks } from "../facts/other-ways";
import { readPageFacts, reportSeveralAccounts } from "../facts/page-facts";
import { DOUBT_MARK, type Line, linesOfText } from "../layout/lines";
import { CannotRead, MAX_ATTACHMENTS, type Reading } from "../limits";
import { plainCharacter } from "../pdf/page-text";
import { withDoubtedOrder } from "./doubted-digits";
import { decodeUtf7, wordsOfLetter, wordsOfSvg } from "./encoded-words";
import { addPictures } from "./pictures";
import { readShownHtml } from "./shown-html";

const MAX_TEXT = 4_000;
const MAX_BODY = 100_000;
const MAX_MARKUP = 800_000;
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true };

/**
 * Reads an email as a mail program shows it, with its attachments. People see the HTML; the plain text is only
 * compared.
 */
export async function readEmail(bytes: Uint8Array, reading: Reading): Promise<DocumentRead> {
  const mail = await PostalMime.parse(bytes, LIMITS).catch(() => {
    throw new CannotRead("damaged");
  });
  await reading.deadline.rest();
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, MAX_BODY));
  const isUtf7 = /charset\s*=\s*["']?[\w-]*utf-?7\b/i.test(head);
  if (isUtf7) for (const part of ["text", "html"] as const) mail[part] &&= decodeUtf7(mail[part]);
  const body = readBody(mail);
  const inWords = picturesInWords(mail.html ?? "");
  // What was read is released before the attachments take memory.
  mail.html = undefined;
  mail.text = undefined;
  const facts = readFacts(body);
  // Unsupported encodings, and a file in the middle of the text.
  if (isUtf7 || /^begin [0-7]{3,4} \S/m.test(body.shown)) facts.isReadableEverywhere = false;
  const email = describe(mail, body.shown.replaceAll(DOUBT_MARK, ""));
  facts.email = email;
  const pictures = [...inWords, ...mail.attachments.filter(isPicture).map(bytesOf)];
  // A message may name other invoices too, so the number of the attached one counts.
  const { invoiceNumber } = facts;
  delete facts.invoiceNumber;
  await addAttachments(facts, email, mail, reading);
  if (invoiceNumber !== undefined) facts.invoiceNumber ??= invoiceNumber;
  const addresses = [...(email.from ? [email.from] : []), ...facts.emails].map(({ address }) => address);
  if (TWO_BOUNDARIES.test(head)) doubtParts(facts);
  if (pictures.length > 0) await addPictures(facts, pictures, reading, [body.shown, ...addresses].join("\n"));
  const hasFile = email.attachments.some(({ read }) => read.status === "read" || read.reason !== "picture");
  if (!hasFile && pictures.length + body.remote > 0 && body.shown.replace(/\s/g, "").length < FEW_WORDS)
    facts.findings.push({ code: "only_pictures", page: 1 });
  return reportSeveralAccounts(facts);
}

/** A message that names two lines between its parts: programs differ in which they use, and so in the parts that they show. */
const TWO_BOUNDARIES = /^content-type:(?:[^\r\n]|\r?\n[ \t])*?;\s*boundary\b(?:[^\r\n]|\r?\n[ \t])*?;\s*boundary\b/im;

function doubtParts(facts: ReadFacts): void {
  facts.findings.push({ code: "shown_differently" });
  facts.isReadableEverywhere = false;
  for (const account of facts.accounts)
    Object.assign(account, { certain: false, doubts: [...account.doubts, "differs_inside"] });
}

/** In characters: a greeting and a name. */
const FEW_WORDS = 40;

type Body = {
  shown: string;
  hidden: string;
  /** What is shown and what is hidden, if anything is. */
  whole: string;
  plain: string;
  isTurned: boolean;
  isUnsure: boolean;
  pictures: number;
  /** Of these, the pictures that are not in the message. */
  remote: number;
  /** Sites that its words ask to be paid at. */
  links: Finding[];
  isDrawn?: boolean;
  hasLines?: boolean;
};

/** Removes invisible characters; keeps line ends and wide gaps. */
function plainText(text: string): string {
  let plain = "";
  for (const letter of text.slice(0, MAX_BODY)) {
    if (letter === "\n" || letter === "\t" || letter === " " || letter === "\u00a0")
      plain += letter === "\u00a0" ? " " : letter;
    // A hyphen that is only shown where a line breaks.
    else if (letter === "\u00ad") continue;
    else plain += plainCharacter(letter.codePointAt(0) ?? 0);
  }
  return plain;
}

const TURNS = /[\u202d\u202e\u2066\u2067]/;

/** Parts that some programs show instead of or beside the message; none of them is a document. */
const OTHER_WORDS = /^(?:text\/(?:x-amp-html|enriched|richtext|calendar|(?:x-)?vcard)|application\/xhtml\+xml)$/;

function readBody({ html, text, attachments, subject, headers }: Email): Body {
  const amp = attachments
    .filter(({ mimeType }) => OTHER_WORDS.test(mimeType))
    .map((part) => new TextDecoder().decode(bytesOf(part)).slice(0, MAX_MARKUP))
    .map((words) => readShownHtml(words.replace(/\r?\n[ \t]/g, "").replace(/\\[nN]/g, "\n")))
    // Its scripts may show what its styles hide, so hidden words count too.
    .map(({ shown, hidden }) => `${shown}\n${hidden}`);
  // A text that is too long is read up to the limit; the rest is reported as unread.
  const isLong = (html ?? "").length > MAX_MARKUP || (text ?? "").length > MAX_BODY;
  const names = attachments.map(({ filename }) => (filename ?? "").replace(/\.\w{1,5}$/, "").replace(/_/g, " "));
  const plain = plainText([subject ?? "", text ?? "", ...names, ...amp].join("\n"));
  // Programs differ in which of two duplicate headers they use.
  const isTwofold = headers.filter(({ key }) => key === "content-type").length > 1;
  const lost = attachments.filter(
    ({ mimeType, related, contentId }) =>
      mimeType.startsWith("image/") &&
      related &&
      !(contentId && html?.includes(`cid:${contentId.replace(/^<|>$/g, "")}`)),
  ).length;
  if (!html)
    return {
      shown: plainText(withDoubtedOrder(text ?? "")),
      hidden: "",
      whole: "",
      plain: plainText([subject ?? "", ...names, ...amp].join("\n")),
      isTurned: TURNS.test(text ?? ""),
      isUnsure: isTwofold,
      pictures: Number(isLong) + lost,
      ...{ remote: 0, links: [] },
    };
  const read = readMarkup(html);
  return { ...read, plain, isUnsure: read.isUnsure || isTwofold, pictures: read.pictures + Number(isLong) + lost };
}

function readMarkup(html: string): Body {
  const { shown, hidden, whole, links, pictures, ...read } = readShownHtml(html.slice(0, MAX_MARKUP));
  const isLong = html.length > MAX_MARKUP || shown.length > MAX_BODY;
  return {
    ...read,
    shown: plainText(withDoubtedOrder(shown)),
    hidden: plainText(hidden),
    whole: hidden === "" ? "" : plainText(whole),
    plain: "",
    links: paymentLinks(links),
    pictures: pictures + Number(isLong),
  };
}

/** Removes the characters of a number. If one of them may be shown differently, the number is not certain. */
const settled =
  (isUnsure: boolean) =>
  <T extends Certainty>({ chars, ...value }: WithChars<T>) => {
    const isSure = !isUnsure && chars.every((char) => !char.isUnsure);
    return isSure ? value : { ...value, certain: false, doubts: [...value.doubts, "not_painted" as const] };
  };
type Certainty = { certain: boolean; doubts: ReadAccount["doubts"] };

/** No box, because an email has no pages. */
const withoutBox = <T extends { box?: unknown }>({ box: _, ...value }: T): Omit<T, "box"> => value;

function readFacts(body: Body): ReadFacts {
  const lines = linesOfText(body.shown);
  const pageFacts = readPageFacts(lines);
  const { accounts } = pageFacts;
  const settle = settled(body.isUnsure);
  const read: ReadAccount[] = accounts.map((account) => ({ ...withoutBox(settle(account)), page: 1 }));
  const findings: Finding[] = [
    ...[...findForeign(lines), ...findOtherWays(lines), ...body.links].map((one) => withoutBox({ ...one, page: 1 })),
    ...findKinds(lines),
    ...findLooseNumbers(lines, pageFacts).map((finding) => withoutBox({ ...finding, page: 1 })),
  ];
  for (const { doubts, lines: around } of read)
    if (doubts.includes("not_painted")) findings.push({ code: "account_could_not_be_read", page: 1, lines: around });
  if (body.isDrawn) findings.push({ code: "number_written_otherwise", page: 1 });
  if (body.hasLines) findings.push({ code: "picture_could_not_be_read", page: 1 });
  if (body.remote > 0) findings.push({ code: "remote_pictures", page: 1 });
  compareParts(body, read, findings);
  const hasDigits = read.length > 0 || /\d{6}/.test(body.shown.replaceAll(DOUBT_MARK, ""));
  if (body.isTurned && hasDigits) findings.push({ code: "turned_around", page: 1 });
  const doubts: ReadAccount["doubts"] = [
    ...(body.isTurned ? (["turned_around"] as const) : []),
    // Programs that prefer plain text show the other part.
    ...(findings.some(({ code }) => code === "body_parts_differ") ? (["differs_inside"] as const) : []),
  ];
  const doubted = read.map((account) =>
    doubts.length > 0 ? { ...account, certain: false, doubts: [...account.doubts, ...doubts] } : account,
  );
  const place = <T extends Certainty & { box?: unknown }>(found: WithChars<T>) => ({
    ...withoutBox(settle(found)),
    page: 1,
  });
  return {
    status: "read",
    kind: "email",
    pages: 1,
    accounts: doubted,
    bpay: findBpay(lines).map(place),
    payIds: findPayIds(lines).map(place),
    abns: findAbns(lines).map(place),
    ...emailFacts(lines),
    emails: findEmails(lines).map((email) => withoutBox({ ...email, page: 1 })),
    findings,
    isReadableEverywhere: body.pictures === 0,
  };
}

/** A message has no letterhead, so names are only read beside their labels. */
function emailFacts(lines: readonly Line[]) {
  const { supplierName: _, ...facts } = readInvoiceFacts(lines);
  return facts;
}

/**
 * Reports different bank details in hidden text, or in a part that only some mail programs show: plain text or a richer
 * format.
 */
function compareParts(body: Body, shown: readonly ReadAccount[], findings: Finding[]): void {
  const others = [
    { text: body.hidden, code: "hidden_in_email" as const },
    { text: body.whole, code: "hidden_in_email" as const },
    { text: body.plain, code: "body_parts_differ" as const },
  ];
  for (const { text, code } of others) {
    const lines = linesOfText(text);
    for (const account of readPageFacts(lines).accounts) {
      const isShown = shown.some(
        ({ bsb, accountNumber }) => bsb === account.bsb && accountNumber === account.accountNumber,
      );
      const digits = `${account.bsb}${account.accountNumber}`;
      const isSaid = findings.some((one) => one.code === code && one.digits === digits);
      if (!(isShown || isSaid) && account.bsb && account.accountNumber)
        findings.push({ code, page: 1, digits, lines: account.lines });
    }
  }
}

const flat = (address: Address | undefined): MailAddress[] => {
  if (!address) return [];
  if (address.group) return address.group.map(({ name, address: each }) => ({ name, address: each.toLowerCase() }));
  return [{ name: address.name, address: address.address.toLowerCase() }];
};

function describe(mail: Email, shown: string): ReadEmail {
  const [from] = flat(mail.from);
  const [replyTo] = (mail.replyTo ?? []).flatMap(flat);
  const date = mail.date && !Number.isNaN(Date.parse(mail.date)) ? new Date(mail.date).toISOString() : undefined;
  return {
    ...(from ? { from } : {}),
    ...(replyTo ? { replyTo } : {}),
    to: (mail.to ?? []).flatMap(flat),
    ...(date ? { date } : {}),
    subject: (mail.subject ?? "").slice(0, 400),
    ...(mail.messageId ? { messageId: mail.messageId.slice(0, 400) } : {}),
    isAutoReply: isAutoReply(mail, from),
    text: shown.replaceAll("\t", "  ").slice(0, MAX_TEXT),
    attachments: [],
  };
}

function isAutoReply({ headers }: Email, from: MailAddress | undefined): boolean {
  const value = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  const automatic = value("auto-submitted");
  return (
    (automatic !== undefined && automatic !== "no") ||
    value("x-autoreply") !== undefined ||
    value("x-autorespond") !== undefined ||
    value("x-auto-response-suppress") !== undefined ||
    /^(?:bulk|junk|list|auto_reply)$/.test(value("precedence") ?? "") ||
    value("list-id") !== undefined ||
    value("list-unsubscribe") !== undefined ||
    /multipart\/report|message\/delivery-status/.test(value("content-type") ?? "") ||
    /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply)@/.test(from?.address ?? "") ||
    /^<\s*>$/.test(value("return-path") ?? "")
  );
}

function bytesOf({ content }: Attachment): Uint8Array<ArrayBuffer> {
  if (typeof content === "string") return new TextEncoder().encode(content);
  return new Uint8Array(content);
}

/** Signature logos and calendar answers are not documents. */
function isDocument({ mimeType, filename, disposition, related }: Attachment): boolean {
  if (/^(?:application\/(?:x-)?(?:pkcs7|pgp)-signature|message\/delivery-status)/.test(mimeType)) return false;
  if (OTHER_WORDS.test(mimeType)) return false;
  if (mimeType.startsWith("image/")) return !related && disposition === "attachment";
  return filename !== null || !mimeType.startsWith("text/") || /xml/.test(mimeType);
}

async function addAttachments(facts: ReadFacts, email: ReadEmail, mail: Email, reading: Reading): Promise<void> {
  const documents = mail.attachments.filter(isDocument);
  for (const attachment of documents.slice(0, MAX_ATTACHMENTS)) {
    const bytes = bytesOf(attachment);
    attachment.content = "";
    const fileName = (attachment.filename ?? "attachment").slice(0, 200);
    const inside: DocumentRead =
      isPicture(attachment) && !isSvg(attachment) && isKnownPicture(bytes)
        ? { status: "unreadable", reason: "picture" }
        : await reading.readInside({ bytes, contentType: attachment.mimeType, fileName });
    // A web page looks like XML, and may not be XML.
    const isOther = inside.status === "unreadable" && (inside.reason === "not_a_document" || inside.kind === "ubl");
    const read = (isOther && readWords(attachment, bytes)) || inside;
    const one: ReadAttachment = { fileName, sha256: await sha256Hex(bytes), size: bytes.length, read };
    email.attachments.push(one);
    if (!isPicture(attachment) || isSvg(attachment)) addRead(facts, one);
  }
  doubtMessage(facts, email);
  if (documents.length > MAX_ATTACHMENTS) {
    facts.findings.push({
      code: "attachment_not_read",
      lines: documents
        .slice(MAX_ATTACHMENTS)
        .map(({ filename }) => filename ?? "")
        .slice(0, 5),
    });
    facts.isReadableEverywhere = false;
  }
  if (mail.attachments.some(({ mimeType, related }) => mimeType.startsWith("image/") && !related))
    facts.isReadableEverywhere = false;
}

type NamedFile = Pick<Attachment, "mimeType" | "filename">;
const isKind = ({ mimeType, filename }: NamedFile, type: RegExp, name: RegExp) =>
  type.test(mimeType) || name.test(filename ?? "");
const isSvg = (file: NamedFile) => isKind(file, /^image\/svg/i, /\.svg$/i);

/** The words of a file, if neither its type nor its name says that it is of another kind: programs go by either. */
function wordsOfFile({ mimeType, filename }: NamedFile, type: RegExp, name: RegExp, bytes: Uint8Array): string {
  const isTyped = type.test(mimeType);
  const isNamed = name.test(filename ?? "");
  const mayBe = (isTyped || /octet-stream$|^$/i.test(mimeType)) && (isNamed || !/\.\w{1,5}$/.test(filename ?? ""));
  if (!(mayBe && (isTyped || isNamed))) return "";
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // In other encodings programs see other words.
    return text.includes("\0") ? "" : text;
  } catch {
    return "";
  }
}

const HTML = [/^(?:text\/html|application\/xhtml\+xml)$/i, /\.x?html?$/i] as const;
const PLAIN = [/^(?:text\/(?:plain|csv)|application\/vnd\.ms-excel)$/i, /\.(?:txt|csv)$/i] as const;

/** A page that changes or loads what it shows. */
const IS_ACTIVE =
  /<(?:script|iframe|frame|object|embed|portal)\b|[\s"'/]on[a-z]{3,20}\s*=|javascript(?::|&)|http-equiv\s*=\s*["']?\s*refresh/i;

/**
 * Reads the words of an attached web page, text, letter or drawing. How letters and drawings look is not known, so their
 * accounts are not certain, and without an account they count as not read.
 */
export function readWords(file: NamedFile, bytes: Uint8Array): ReadFacts | undefined {
  const page = wordsOfFile(file, ...HTML, bytes);
  if (page) {
    const facts = readFacts(readMarkup(page));
    // What a script or another page shows is not known.
    if (!IS_ACTIVE.test(page)) return facts;
    const unread: Finding = { code: "attachment_not_read", lines: [(file.filename ?? "").slice(0, 200)] };
    const findings: Finding[] = [...facts.findings, { code: "script_action" }, unread];
    return { ...facts, findings, isReadableEverywhere: false, accounts: facts.accounts.map(unsure) };
  }
  const plain = wordsOfFile(file, ...PLAIN, bytes);
  const text =
    plain ||
    (isSvg(file)
      ? wordsOfSvg(new TextDecoder().decode(bytes.subarray(0, MAX_MARKUP)))
      : isKind(file, /wordprocessingml/i, /\.docx$/i)
        ? wordsOfLetter(bytes)
        : "");
  if (!text) return undefined;
  const pictures = Number(text.length > MAX_BODY);
  const facts = readFacts({
    shown: plainText(withDoubtedOrder(text)),
    hidden: "",
    whole: "",
    plain: "",
    isTurned: TURNS.test(text),
    isUnsure: false,
    ...{ pictures, remote: 0, links: [] },
  });
  if (plain) return facts;
  return facts.accounts.length > 0
    ? { ...facts, isReadableEverywhere: false, accounts: facts.accounts.map(unsure) }
    : undefined;
}

const unsure = (account: ReadAccount): ReadAccount => ({
  ...account,
  certain: false,
  doubts: [...new Set([...account.doubts, "attachment" as const])],
});

/** Signatures, keys and cards of people. */
const NO_INVOICE = /\.(?:ics|vcf|asc|sig|p7s|gpg)$/i;

/** When the invoice itself was not read, an account in the words around it is not known to be the invoice's. */
function doubtMessage(facts: ReadFacts, { attachments }: ReadEmail): void {
  const isUnread = attachments.some(
    ({ fileName, read }) => read.status === "unreadable" && read.reason !== "picture" && !NO_INVOICE.test(fileName),
  );
  // Beside a page that a script writes, even the account in another attachment may not be the one that is asked for.
  const isScripted = attachments.some(
    ({ read }) =>
      read.status === "read" &&
      ["script_action", "attachment_not_read"].every((wanted) => read.findings.some(({ code }) => code === wanted)),
  );
  const isAnswered = attachments.some(({ read }) => read.status === "read" && read.accounts.length > 0);
  if (isScripted || (isUnread && !isAnswered)) facts.accounts = facts.accounts.map(unsure);
}

const isPicture = ({ mimeType, filename }: Attachment) =>
  mimeType.startsWith("image/") || /\.(?:png|jpe?g|gif)$/i.test(filename ?? "");

/** Pictures of other kinds, such as TIFF, are not examined. */
const isKnownPicture = ([first, second]: Uint8Array) =>
  MARKS_OF_PICTURES.some(([one, two]) => first === one && second === two);
/** The first bytes of a PNG, a JPEG and a GIF. */
const MARKS_OF_PICTURES = [
  [0x89, 0x50],
  [0xff, 0xd8],
  [0x47, 0x49],
] as const;

/** Pictures inside the message's own text, in addresses or styles. */
const IN_WORDS = /data:image\/[-+\w.]+;base64,([A-Za-z0-9+/=\s]+)/gi;

const picturesInWords = (html: string): Uint8Array[] =>
  [...html.matchAll(IN_WORDS)].map(([, text = ""]) => new Uint8Array(Buffer.from(text, "base64")));

/** Adds the contents of the attachments to the facts of the email. */
function addRead(facts: ReadFacts, { fileName, read }: ReadAttachment): void {
  if (read.status === "unreadable") {
    facts.findings.push({
      code: read.reason === "encrypted" ? "encrypted_attachment" : "attachment_not_read",
      lines: [fileName],
    });
    facts.isReadableEverywhere = false;
    return;
  }
  const isNew =
    <T>(known: readonly T[], key: (value: T) => string) =>
    (value: T) =>
      !known.some((one) => key(one) === key(value));
  facts.accounts.push(
    ...read.accounts.filter(isNew(facts.accounts, ({ bsb, accountNumber }) => `${bsb} ${accountNumber}`)),
  );
  facts.bpay.push(...read.bpay.filter(isNew(facts.bpay, ({ billerCode }) => billerCode)));
  facts.payIds.push(...read.payIds.filter(isNew(facts.payIds, ({ payId }) => payId)));
  facts.abns.push(...read.abns.filter(isNew(facts.abns, ({ abn }) => abn)));
  facts.emails.push(...read.emails.filter(isNew(facts.emails, ({ address }) => address)));
  facts.findings.push(...read.findings.filter(({ code }) => code !== "several_accounts"));
  facts.isReadableEverywhere &&= read.isReadableEverywhere;
  const names = ["supplierName", "customerName", "invoiceNumber", "issueDate", "dueDate", "producer"] as const;
  for (const name of names) facts[name] ??= read[name];
  // Amounts in the message are often approximate, so those of the attached invoice count.
  facts.totalCents = read.totalCents ?? facts.totalCents;
  facts.gstCents = read.gstCents ?? facts.gstCents;
  if (read.currency !== "AUD") facts.currency = read.currency;
}
