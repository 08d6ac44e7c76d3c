declare module "pdfkit" {
  type Options = { lineBreak?: boolean; baseline?: string; characterSpacing?: number };
  export default class PDFDocument {
    constructor(options: Record<string, unknown>);
    on(event: "data", listener: (part: Uint8Array) => void): this;
    on(event: "end", listener: () => void): this;
    addPage(options?: Record<string, unknown>): this;
    font(name: string): this;
    fontSize(size: number): this;
    fillColor(color: string): this;
    text(text: string, x: number, y: number, options?: Options): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(color: string): this;
    save(): this;
    restore(): this;
    rotate(degrees: number, options: { origin: [number, number] }): this;
    end(): void;
  }
}
