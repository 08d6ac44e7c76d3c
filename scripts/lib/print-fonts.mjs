import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** The packages of the fonts (all under the SIL Open Font License) and the weights that documents are printed in. */
const readFamilies = () => [
  {
    name: "noto-sans",
    folder: path.dirname(require.resolve("@fontsource-variable/noto-sans/package.json")),
    weights: [400, 600],
    but: ["devanagari"],
  },
  // Korean and Han characters, which are rare in a document, have one weight.
  {
    name: "noto-sans-kr",
    folder: path.dirname(require.resolve("@fontsource-variable/noto-sans-kr/package.json")),
    weights: [400],
    but: ["latin", "latin-ext", "vietnamese", "cyrillic"],
    only: [
      [0x1100, 0x11ff],
      [0x3131, 0x318e],
      [0xac00, 0xd7a3],
    ],
  },
  {
    name: "noto-sans-sc",
    folder: path.dirname(require.resolve("@fontsource-variable/noto-sans-sc/package.json")),
    weights: [400],
    but: ["latin", "latin-ext", "vietnamese", "cyrillic"],
  },
];

/** "U+0000-00FF,U+0131" as pairs of code points. */
const rangesOf = (text, only = [[0, 0x10ffff]]) =>
  text
    .split(",")
    .map((range) => {
      const [first, last = first] = range.trim().slice(2).split("-");
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    })
    .filter(([first, last]) => only.some(([from, to]) => first >= from && last <= to));

const lettersOf = (ranges) =>
  ranges.map(([first, last]) =>
    String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at)),
  );

/**
 * Writes what printed documents embed: a TrueType file for each part of a family and weight, and `fonts.json`, which
 * says which characters each file covers. The packages' fonts are compressed for browsers and have variable weights; a
 * PDF accepts neither. Writes nothing where the same packages were written before.
 */
export async function writePrintFonts(out) {
  const families = readFamilies();
  const versions = families.map(({ folder }) => readFileSync(path.join(folder, "package.json"), "utf8")).join("\n");
  const stamp = path.join(out, "versions.txt");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === versions) return;
  const { default: subsetFont } = await import("subset-font");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const index = [];
  for (const { name, folder, weights, but, only } of families) {
    const parts = Object.entries(JSON.parse(readFileSync(path.join(folder, "unicode.json"), "utf8")));
    for (const [part, text] of parts.filter(([part]) => !but.includes(part))) {
      const plain = part.replace(/[[\]]/g, "");
      const ranges = rangesOf(text, only);
      if (ranges.length === 0) continue;
      const source = readFileSync(path.join(folder, "files", `${name}-${plain}-wght-normal.woff2`));
      for (const weight of weights) {
        const file = `${name}-${plain}-${weight}.ttf`;
        const options = { targetFormat: "sfnt", variationAxes: { wght: weight } };
        writeFileSync(path.join(out, file), await subsetFont(source, lettersOf(ranges).join(""), options));
        index.push({ file, weight, ranges });
      }
    }
  }
  for (const { name, folder } of families)
    copyFileSync(path.join(folder, "LICENSE"), path.join(out, `LICENSE-${name}.txt`));
  writeFileSync(path.join(out, "fonts.json"), JSON.stringify(index));
  writeFileSync(stamp, versions);
}

/** The weights of the pages' two families: `display` in app/tailwind.css has one, everything else 400 to 700. */
const PAGE_WEIGHTS = { geist: { min: 400, max: 700 }, newsreader: 500 };

/**
 * Removes the weights that no page uses from the fonts that pages load, which halves their size. A file keeps its
 * address: a browser that has the whole font cached shows the same.
 */
export async function cutPageFonts(folder) {
  const { default: subsetFont } = await import("subset-font");
  for (const [family, wght] of Object.entries(PAGE_WEIGHTS)) {
    const home = path.dirname(require.resolve(`@fontsource-variable/${family}/package.json`));
    const { latin } = JSON.parse(readFileSync(path.join(home, "unicode.json"), "utf8"));
    const names = readdirSync(folder).filter((name) => name.startsWith(`${family}-latin`));
    const whole = readFileSync(path.join(home, "files", `${family}-latin-wght-normal.woff2`));
    const options = { targetFormat: "woff2", variationAxes: { wght } };
    const cut = await subsetFont(whole, lettersOf(rangesOf(latin)).join(""), options);
    for (const name of names) writeFileSync(path.join(folder, name), cut);
  }
}
