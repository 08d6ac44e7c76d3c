/**
 * The three standard fonts that every PDF reader brings, and how wide their letters are. Pure.
 * Source: Adobe Core 14 AFM files (widths); ISO 32000-1, annex D.2 (WinAnsiEncoding).
 */

export type FontName = "Helvetica" | "Helvetica-Bold" | "Courier";

/** The letters of WinAnsi beyond Latin 1, with their codes. */
const SPECIALS: ReadonlyMap<string, number> = new Map([
  ...Object.entries({
    "€": 0x80,
    "‚": 0x82,
    ƒ: 0x83,
    "„": 0x84,
    "…": 0x85,
    "†": 0x86,
    "‡": 0x87,
    ˆ: 0x88,
    "‰": 0x89,
    Š: 0x8a,
    "‹": 0x8b,
    Œ: 0x8c,
    Ž: 0x8e,
    "‘": 0x91,
    "’": 0x92,
    "“": 0x93,
    "”": 0x94,
    "•": 0x95,
    "–": 0x96,
    "—": 0x97,
    "˜": 0x98,
    "™": 0x99,
    š: 0x9a,
    "›": 0x9b,
    œ: 0x9c,
    ž: 0x9e,
    Ÿ: 0x9f,
  }),
]);

/** The code of a letter in WinAnsi; undefined for a letter that the standard fonts lack. */
export function codeOf(letter: string): number | undefined {
  const code = letter.codePointAt(0) ?? 0;
  const isLatin = (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff);
  return isLatin ? code : SPECIALS.get(letter);
}

/** Codes 0x20 to 0x7e, then 0xa0 to 0xff, then the specials in their order. */
const CODES = [...range(0x20, 0x7e), ...range(0xa0, 0xff), ...SPECIALS.values()];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const HELVETICA = `
  278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278
  278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722
  667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556
  556 333 500 278 556 500 722 500 500 500 334 260 334 584 278 333 556 556 556 556 260 556 333 737 370 556 584
  333 737 333 400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 667 667 667 1000 722
  667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556
  556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 556 556 556 556 500
  556 500 556 222 556 333 1000 556 556 333 1000 667 333 1000 611 222 222 333 333 350 556 1000 333 1000 500 333
  944 500 500`;

const HELVETICA_BOLD = `
  278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333
  333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722
  667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611
  611 389 556 333 611 556 778 556 556 500 389 280 389 584 278 333 556 556 556 556 280 556 333 737 370 556 584
  333 737 333 400 584 333 333 333 611 556 278 333 333 365 556 834 834 834 611 722 722 722 722 722 722 1000 722
  667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556
  556 556 556 889 556 556 556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 611 611 611 611 611 556
  611 556 556 278 556 500 1000 556 556 333 1000 667 333 1000 611 278 278 500 500 350 556 1000 333 1000 556 333
  944 500 556`;

const widthsOf = (table: string): ReadonlyMap<number, number> =>
  new Map(
    table
      .trim()
      .split(/\s+/)
      .map((width, index) => [CODES[index] ?? 0, Number(width)]),
  );

const WIDTHS: Readonly<Record<Exclude<FontName, "Courier">, ReadonlyMap<number, number>>> = {
  Helvetica: widthsOf(HELVETICA),
  "Helvetica-Bold": widthsOf(HELVETICA_BOLD),
};
const COURIER_WIDTH = 600;

/**
 * Width of a text in points.
 *
 * @param text standard letters only
 * @param size of the font in points
 */
export function widthOfText(text: string, font: FontName, size: number): number {
  let thousandths = 0;
  for (const letter of text) {
    thousandths += font === "Courier" ? COURIER_WIDTH : (WIDTHS[font].get(codeOf(letter) ?? 0) ?? 0);
  }
  return (thousandths * size) / 1000;
}
