// Makes workers/reader/pdf/glyph-weights.ts: what the reader knows about the shapes of digits and letters in pictures.
// node scripts/train-glyphs.mjs FONT...   (.ttf, .otf or .woff files, a hundred or more; every tenth is kept back, to test the result)
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import PDFDocument from "pdfkit";

const SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Shapes that are neither: other characters, and pairs that touch. */
const OTHERS = [
  ..."&@#$*()/\\<>+€£~^{}[]",
  "rn",
  "tt",
  "fi",
  "ll",
  "00",
  "ru",
  "AV",
  "oo",
  "VA",
  "53",
  "88",
  "KA",
  "TT",
  "RA",
  "99",
];
const [STEP, SIZE, COLUMNS] = [90, 40, 16];
const [HIDDEN, CLASSES] = [72, 37];
const ROUNDS = 12;

let seed = 7;
/** A seeded generator, so that the same fonts make the same weights. */
function random() {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return seed / 4294967296;
}

async function loadReader() {
  const outfile = path.resolve(".cache/train-glyphs.mjs");
  const contents = `export { toGrid } from "./shapes"; export { PdfiumKeeper } from "./pdfium"; export { paint, lumaRows } from "./painting";
    export { readSpace } from "./page-text"; export { findBlobs } from "./writing"; export { inputOf } from "./glyphs";`;
  const stdin = { contents, resolveDir: path.resolve("workers/reader/pdf"), loader: "ts" };
  await build({
    stdin,
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    conditions: ["browser"],
  });
  return import(pathToFileURL(outfile));
}

/** A page with each character in a square of its own. */
async function sheetOf(font) {
  const signs = [...SIGNS, ...OTHERS];
  const document = new PDFDocument({ size: [STEP * COLUMNS, STEP * Math.ceil(signs.length / COLUMNS)], margin: 0 });
  const parts = [];
  document.on("data", (part) => parts.push(part));
  const done = new Promise((resolve) => document.on("end", resolve));
  document.font(font).fontSize(SIZE);
  for (const [at, sign] of signs.entries()) {
    const [x, y] = [(at % COLUMNS) * STEP + 18, Math.floor(at / COLUMNS) * STEP + 14];
    document.text(sign, x, y, { lineBreak: false, characterSpacing: sign.length > 1 ? -4 : 0 });
  }
  document.end();
  await done;
  return { bytes: Buffer.concat(parts), signs };
}

function blurred(ink, width, height, radius) {
  if (radius < 0.2) return ink;
  const reach = Math.ceil(radius * 2);
  const weights = Array.from({ length: reach * 2 + 1 }, (_, at) => Math.exp(-((at - reach) ** 2) / (2 * radius ** 2)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const pass = (from, step, length, across, acrossStep) => {
    const to = new Float32Array(from.length);
    for (let line = 0; line < across; line += 1) {
      for (let at = 0; at < length; at += 1) {
        let value = 0;
        for (let near = -reach; near <= reach; near += 1) {
          if (at + near < 0 || at + near >= length) continue;
          value += from[line * acrossStep + (at + near) * step] * weights[near + reach];
        }
        to[line * acrossStep + at * step] = value / sum;
      }
    }
    return to;
  };
  return pass(pass(ink, 1, width, height, width), width, height, width, 1);
}

/** Distorts a character as a scanner, a small picture or a bad copy does. */
function samplesOf(reader, engine, page, space, signs, times) {
  const { paint, lumaRows, findBlobs, toGrid, inputOf } = reader;
  const samples = [];
  for (let turn = 0; turn < times; turn += 1) {
    const scale = 0.28 + random() ** 2 * 1.1;
    const shift = Math.min(3, random() / scale);
    for (const [at, sign] of signs.entries()) {
      const slope = (random() - 0.5) * 0.12;
      const [x, y] = [(at % COLUMNS) * STEP + STEP / 2 - 4, Math.floor(at / COLUMNS) * STEP + STEP / 2];
      const region = {
        x: x * Math.cos(slope) + y * Math.sin(slope) - STEP / 2 + 5 + shift,
        y: y * Math.cos(slope) - x * Math.sin(slope) - STEP / 2 + 5 + shift,
        width: STEP - 12,
        height: STEP - 12,
      };
      const picture = paint({ engine, page, space, form: 0, slope }, region, scale);
      const { width, height } = picture;
      let ink = Float32Array.from(
        Array.from(lumaRows(picture), (row) => [...row]).flat(),
        (luma) => (255 - luma) / 255,
      );
      ink = blurred(ink, width, height, random() ** 2 * 2.4 * scale + random() * 0.4);
      const most = Math.max(...ink, 0.001);
      const noise = random() * 0.12;
      ink = ink.map((value) => Math.max(0, Math.min(1, value / most + (random() - 0.5) * noise)));
      const level = 0.3 + random() * 0.35;
      const mask = Uint8Array.from(ink, (value) => Number(value > level));
      const blob = findBlobs(mask, width, height).sort((a, b) => b.area - a.area)[0];
      if (!blob || blob.bottom - blob.top < 4) continue;
      const wide =
        mask.reduce((most, value, pixel) => (value ? Math.max(most, pixel % width) : most), 0) + 1 - blob.left;
      if (sign.length > 1 && blob.right - blob.left < wide * 0.9) continue;
      const given = random() < 0.5 ? ink : Float32Array.from(mask);
      const index = sign.length > 1 ? -1 : SIGNS.indexOf(sign);
      const label = index < 0 ? CLASSES - 1 : index < 36 ? index : index - 26;
      samples.push({ input: inputOf(toGrid(given, width, blob)), label });
    }
  }
  return samples;
}

function makeNet(inputs) {
  const layer = (from, to) => ({
    weights: Float32Array.from(
      { length: from * to },
      () => (random() + random() + random() - 1.5) * Math.sqrt(2 / from),
    ),
    offsets: new Float32Array(to),
  });
  return { first: layer(inputs, HIDDEN), second: layer(HIDDEN, CLASSES) };
}

function forward({ first, second }, input) {
  const hidden = new Float32Array(HIDDEN);
  for (let to = 0; to < HIDDEN; to += 1) {
    let sum = first.offsets[to];
    for (let at = 0; at < input.length; at += 1) sum += input[at] * first.weights[to * input.length + at];
    hidden[to] = Math.max(0, sum);
  }
  const scores = new Float32Array(CLASSES);
  let most = Number.NEGATIVE_INFINITY;
  for (let to = 0; to < CLASSES; to += 1) {
    let sum = second.offsets[to];
    for (let at = 0; at < HIDDEN; at += 1) sum += hidden[at] * second.weights[to * HIDDEN + at];
    scores[to] = sum;
    most = Math.max(most, sum);
  }
  let total = 0;
  for (let to = 0; to < CLASSES; to += 1) total += scores[to] = Math.exp(scores[to] - most);
  for (let to = 0; to < CLASSES; to += 1) scores[to] /= total;
  return { hidden, scores };
}

function train(net, samples) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const rate = 0.03 * (1 - round / ROUNDS) ** 2 + 0.001;
    for (let at = samples.length - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1));
      [samples[at], samples[other]] = [samples[other], samples[at]];
    }
    let right = 0;
    for (const { input, label } of samples) {
      const { hidden, scores } = forward(net, input);
      if (scores.indexOf(Math.max(...scores)) === label) right += 1;
      const back = new Float32Array(HIDDEN);
      for (let to = 0; to < CLASSES; to += 1) {
        const error = scores[to] - (to === label ? 1 : 0);
        if (Math.abs(error) < 0.002) continue;
        net.second.offsets[to] -= rate * error;
        for (let unit = 0; unit < HIDDEN; unit += 1) {
          back[unit] += error * net.second.weights[to * HIDDEN + unit];
          net.second.weights[to * HIDDEN + unit] -= rate * error * hidden[unit];
        }
      }
      for (let unit = 0; unit < HIDDEN; unit += 1) {
        if (hidden[unit] === 0 || Math.abs(back[unit]) < 1e-4) continue;
        net.first.offsets[unit] -= rate * back[unit];
        const start = unit * input.length;
        for (let cell = 0; cell < input.length; cell += 1)
          net.first.weights[start + cell] -= rate * back[unit] * input[cell];
      }
    }
    console.log(`round ${round + 1}: ${((right / samples.length) * 100).toFixed(1)} %`);
  }
}

/** Whole numbers from -127 to 127, and the value of one step. */
function packed(values) {
  const one = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
  return {
    one,
    text: Buffer.from(Int8Array.from(values, (value) => Math.round(value / one)).buffer).toString("base64"),
  };
}

const reader = await loadReader();
const keeper = new reader.PdfiumKeeper(
  new WebAssembly.Module(readFileSync("node_modules/@embedpdf/pdfium/dist/pdfium.wasm")),
);
const fonts = process.argv.slice(2);
const [taught, left] = [[], []];
for (const [at, font] of fonts.entries()) {
  try {
    const { bytes, signs } = await sheetOf(font);
    const samples = await keeper.lend(async (engine) => {
      const pointer = engine.memory.allocate(bytes.length);
      engine.memory.bytes(pointer, bytes.length).set(bytes);
      const document = engine.FPDF_LoadMemDocument(pointer, bytes.length, "");
      const page = engine.FPDF_LoadPage(document, 0);
      const made = samplesOf(reader, engine, page, reader.readSpace(engine, page), signs, at % 10 === 9 ? 4 : 9);
      engine.FPDF_ClosePage(page);
      engine.FPDF_CloseDocument(document);
      engine.memory.free(pointer);
      return made;
    });
    (at % 10 === 9 ? left : taught).push(...samples);
  } catch (error) {
    console.log("left out", font, error.message);
  }
}
console.log(`${fonts.length} fonts, ${taught.length} samples, ${left.length} left to try`);
const net = makeNet(taught[0].input.length);
train(net, taught);
const isDigit = (label) => label < 10;
let [right, kind] = [0, 0];
for (const { input, label } of left) {
  const { scores } = forward(net, input);
  const best = scores.indexOf(Math.max(...scores));
  if (best === label) right += 1;
  if (isDigit(best) === isDigit(label)) kind += 1;
}
console.log(
  `fonts left out: ${((right / left.length) * 100).toFixed(1)} % right, ${((kind / left.length) * 100).toFixed(1)} % digit or not`,
);
const layers = [net.first.weights, net.first.offsets, net.second.weights, net.second.offsets].map(packed);
writeFileSync(
  "workers/reader/pdf/glyph-weights.ts",
  `/** Made by scripts/train-glyphs.mjs. Layers of a small network, each in whole numbers and the size of one. */
export const GLYPH_WEIGHTS = [
${layers.map(({ one, text }) => `  { one: ${one}, text: "${text}" },`).join("\n")}
] as const;
`,
);
