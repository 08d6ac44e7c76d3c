import { deflateSync } from "node:zlib";
import { HELVETICA, latin, PdfFile, words } from "./pdf-file";

/** Files that are broken, locked or made to fill a reader. */

export const LINES =
  words("TAX INVOICE", 50, 780) + words("BSB: 062-000", 50, 480) + words("Account number: 12345678", 50, 466);

/** An invoice of one page that is as it should be. */
export function invoice(content = LINES, change: (file: PdfFile) => void = () => {}): Uint8Array {
  const file = new PdfFile();
  file.page(content, HELVETICA);
  change(file);
  return file.toBytes();
}

/** A page whose content is a stream that unpacks to much more. */
function packed(content: Uint8Array, filter = "/FlateDecode"): Uint8Array {
  const file = new PdfFile();
  const bytes = new Uint8Array(deflateSync(content, { level: 9 }));
  const stream = file.stream(filter.includes("[") ? new Uint8Array(deflateSync(bytes)) : bytes, `/Filter ${filter}`);
  file.page("", HELVETICA, `/Contents ${stream} 0 R`);
  return file.toBytes();
}

/** Forms that each draw the next one many times. */
function forms(levels: number, times: number): Uint8Array {
  const file = new PdfFile();
  let inner = file.stream("0 0 m 1 1 l S", "/Type /XObject /Subtype /Form /BBox [0 0 600 900]");
  for (let level = 0; level < levels; level += 1) {
    inner = file.stream(
      "/X Do ".repeat(times),
      `/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /XObject << /X ${inner} 0 R >> >>`,
    );
  }
  file.page(`${LINES} /X Do`, `${HELVETICA} /XObject << /X ${inner} 0 R >>`);
  return file.toBytes();
}

export function pages(count: number): Uint8Array {
  const file = new PdfFile();
  for (let page = 0; page < count; page += 1) file.page(words(`Page ${page + 1}`, 50, 780), HELVETICA);
  return file.toBytes();
}

/** What it is, the file, and the reasons with which it may be refused. */
function commented(words: string, key = "Contents"): Uint8Array {
  const file = new PdfFile();
  const comment = `<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /${key} ${file.add(`(${words})`)} 0 R >>`;
  file.page("", HELVETICA, `/Annots [${comment.repeat(300)}]`);
  return file.toBytes();
}

export const HOSTILE: [string, () => Uint8Array, readonly string[]][] = [
  ["a stream that unpacks to 60 MB", () => packed(new Uint8Array(60_000_000).fill(32)), ["too_large", "too_slow"]],
  [
    "a stream that is packed twice",
    () => packed(new Uint8Array(60_000_000).fill(32), "[/FlateDecode /FlateDecode]"),
    ["too_large"],
  ],
  ["a stream of a million strokes", () => packed(latin("0 0 m 9 9 l S ".repeat(1_000_000))), ["too_large", "too_slow"]],
  ["forms that draw forms, ten to the seventh", () => forms(7, 10), ["too_large", "too_slow"]],
  ["sixty thousand strokes", () => packed(latin("0 0 m 9 9 l S ".repeat(60_000))), ["too_slow"]],
  ["51 pages", () => pages(51), ["too_many_pages"]],
  ["three hundred comments that share their words", () => commented("BSB ".repeat(8_000)), ["too_large"]],
  ["three hundred comments of tags that never end", () => commented("<".repeat(32_000), "RC"), ["too_large"]],
  [
    "a picture of a hundred thousand by a hundred thousand",
    () =>
      invoice(LINES, (file) =>
        file.stream(
          "",
          "/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8",
        ),
      ),
    ["too_large"],
  ],
  [
    "a password",
    () =>
      invoice(LINES, (file) =>
        file.trailer(
          `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${"ab".repeat(32)}> /U <${"cd".repeat(32)}> >>`,
        ),
      ),
    ["encrypted"],
  ],
  ["nothing after its mark", () => latin("%PDF-1.7\n"), ["damaged"]],
  ["no pages", () => new PdfFile().toBytes(), ["damaged"]],
  ["more than ten megabytes", () => invoice(LINES, (file) => file.stream(new Uint8Array(10_600_000))), ["too_large"]],
];
