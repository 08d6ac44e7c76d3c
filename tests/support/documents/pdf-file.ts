/** Writes PDF files object by object, so that a test can create any file, including invalid ones. */
export class PdfFile {
  private readonly objects: Uint8Array[] = [];
  private readonly pages: number[] = [];
  private readonly root: { catalog: string; trailer: string } = { catalog: "", trailer: "" };
  private readonly pagesObject = this.reserve();

  /** A number for an object that comes later. */
  reserve(): number {
    return this.objects.push(new Uint8Array());
  }
  set(number: number, body: string | Uint8Array): void {
    this.objects[number - 1] = typeof body === "string" ? latin(body) : body;
  }
  add(body: string | Uint8Array): number {
    const number = this.reserve();
    this.set(number, body);
    return number;
  }
  stream(content: string | Uint8Array, dictionary = ""): number {
    const bytes = typeof content === "string" ? latin(content) : content;
    return this.add(
      join([latin(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`), bytes, latin("\nendstream")]),
    );
  }
  /** @param resources inside of the dictionary */
  page(content: string, resources: string, extra = ""): number {
    const contents = this.stream(content);
    const box = extra.includes("/MediaBox") ? "" : "/MediaBox [0 0 595 842]";
    const number = this.add(
      `<< /Type /Page /Parent ${this.pagesObject} 0 R ${box} /Contents ${contents} 0 R /Resources << ${resources} >> ${extra} >>`,
    );
    this.pages.push(number);
    return number;
  }
  catalog(text: string): void {
    this.root.catalog += ` ${text}`;
  }
  trailer(text: string): void {
    this.root.trailer += ` ${text}`;
  }
  toBytes(): Uint8Array {
    this.set(
      this.pagesObject,
      `<< /Type /Pages /Count ${this.pages.length} /Kids [${this.pages.map((page) => `${page} 0 R`).join(" ")}] >>`,
    );
    const catalog = this.add(`<< /Type /Catalog /Pages ${this.pagesObject} 0 R ${this.root.catalog} >>`);
    const parts = [latin("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")];
    let at = parts[0]?.length ?? 0;
    const offsets = this.objects.map((body, index) => {
      const part = join([latin(`${index + 1} 0 obj\n`), body, latin("\nendobj\n")]);
      parts.push(part);
      at += part.length;
      return at - part.length;
    });
    const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
    parts.push(
      latin(
        `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${offsets.length + 1} /Root ${catalog} 0 R ${this.root.trailer} >>\nstartxref\n${at}\n%%EOF\n`,
      ),
    );
    return join(parts);
  }
}

export const HELVETICA =
  "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >> >>";

export const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff);

export function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A string of a content stream: an en dash has a place of its own there. */
export const literal = (text: string): string => `(${text.replaceAll("–", "\x96").replace(/[\\()]/g, "\\$&")})`;

/** One line of words, y from the lower edge. */
export const words = (text: string, x: number, y: number, size = 10, extra = ""): string =>
  `BT /F1 ${size} Tf ${extra} 1 0 0 1 ${x} ${y} Tm ${literal(text)} Tj ET\n`;

/** Adds a later revision that replaces objects, as programs do that change a signed file. */
export function appendRevision(bytes: Uint8Array, changes: ReadonlyMap<number, string | Uint8Array>): Uint8Array {
  const text = new TextDecoder("latin1").decode(bytes);
  const previous = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]);
  const root = /\/Root (\d+ 0 R)/.exec(text)?.[1];
  const size = /\/Size (\d+)/.exec(text)?.[1];
  const parts = [bytes];
  let at = bytes.length;
  let rows = "";
  for (const [number, body] of changes) {
    const part = join([latin(`${number} 0 obj\n`), typeof body === "string" ? latin(body) : body, latin("\nendobj\n")]);
    rows += `${number} 1\n${String(at).padStart(10, "0")} 00000 n \n`;
    parts.push(part);
    at += part.length;
  }
  parts.push(
    latin(`xref\n${rows}trailer\n<< /Size ${size} /Root ${root} /Prev ${previous} >>\nstartxref\n${at}\n%%EOF\n`),
  );
  return join(parts);
}
