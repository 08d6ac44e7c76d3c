import { GLYPH_WEIGHTS } from "./glyph-weights";
import type { Shape } from "./shapes";

/** Recognises digits and letters by their shapes, in whatever font, with a small network (scripts/train-glyphs.mjs). */

/** What the network is given of a shape: its grid, and how wide it is for its height. */
export function inputOf({ grid, ratio }: Shape): Float32Array {
  const input = new Float32Array(grid.length + 1);
  for (let at = 0; at < grid.length; at += 1) input[at] = (grid[at] ?? 0) * STRONGER;
  input[grid.length] = Math.max(-2, Math.min(2, Math.log(ratio)));
  return input;
}
const STRONGER = 6;

const CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ?";

function unpacked({ one, text }: { one: number; text: string }): Float32Array {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return Float32Array.from(new Int8Array(bytes.buffer), (value) => value * one);
}

let layers: readonly { weights: Float32Array; offsets: Float32Array }[] | undefined;

function loadLayers() {
  const [first, firstOffsets, second, secondOffsets] = GLYPH_WEIGHTS.map(unpacked);
  if (!(first && firstOffsets && second && secondOffsets)) return [];
  return [
    { weights: first, offsets: firstOffsets },
    { weights: second, offsets: secondOffsets },
  ];
}

/**
 * The character that a shape from `inputOf` looks most like ("?": none), and how sure (0 to 1) that it or a lookalike
 * is right.
 */
export function recogniseCharacter(input: Float32Array): { character: string; share: number } {
  layers ??= loadLayers();
  let values = input;
  for (const [at, { weights, offsets }] of layers.entries()) {
    const next = Float32Array.from(offsets);
    for (let to = 0; to < next.length; to += 1) {
      let sum = next[to] ?? 0;
      for (let from = 0; from < values.length; from += 1)
        sum += (values[from] ?? 0) * (weights[to * values.length + from] ?? 0);
      next[to] = at === 0 ? Math.max(0, sum) : sum;
    }
    values = next;
  }
  const most = values.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const shares = values.map((value) => Math.exp(value - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const character = CHARACTERS[values.indexOf(most)] ?? "?";
  const alike = ALIKE.find((group) => group.includes(character)) ?? character;
  const share = [...alike].reduce((sum, each) => sum + (shares[CHARACTERS.indexOf(each)] ?? 0), 0) / total;
  return { character, share };
}
/** Drawn alike in many fonts: it is one of these and nothing else. */
const ALIKE = ["0OQD", "1ILJT7", "2Z", "5S", "8B"];
