import { inflateSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { framesOf, sheetOf } from "./pictures";

vi.mock("node:zlib", async (original) => {
  const real = await original<typeof import("node:zlib")>();
  return { ...real, inflateSync: vi.fn(real.inflateSync) };
});

/** The beginning of a grey PNG, with its size. */
function png(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(400);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes[24] = 8;
  return bytes;
}

test.each([
  [100, 100, 1],
  [0, 4_000_000_000, 0],
  [4_000_000_000, 0, 0],
  [4_000, 4_000, 0],
])("a PNG that says it has %i by %i pixels is unpacked %i times", (width, height, times) => {
  vi.mocked(inflateSync).mockClear();
  expect(sheetOf(png(width, height))).toBeTypeOf("string");
  expect(inflateSync).toHaveBeenCalledTimes(times);
});

test("a GIF is unpacked, block by block", () => {
  const [width, height] = [100, 30];
  const pixels = Array.from({ length: width * height }, (_, at) => (at * 7) % 128);
  const palette = Array.from({ length: 128 * 3 }, (_, at) => at >> 1);
  // Each code has eight bits as long as the table is emptied at every line.
  const codes = pixels.flatMap((pixel, at) => (at % width === 0 ? [128, pixel] : [pixel])).concat(129);
  const blocks = Array.from({ length: Math.ceil(codes.length / 255) }, (_, at) =>
    codes.slice(at * 255, at * 255 + 255),
  );
  const bytes = Uint8Array.from([
    ...Buffer.from("GIF89a"),
    ...[width, 0, height, 0, 0x86, 0, 0, ...palette],
    ...[0x2c, 0, 0, 0, 0, width, 0, height, 0, 0, 7],
    ...blocks.flatMap((block) => [block.length, ...block]),
    ...[0, 0x3b],
  ]);
  const data = pixels.flatMap((pixel) => palette.slice(pixel * 3, pixel * 3 + 3));
  expect(sheetOf(bytes)).toMatchObject({ width, height, data: Uint8Array.from(data) });
});

test("each picture of a GIF that moves is a picture of its own", () => {
  const frame = (color: number) => [0x2c, 0, 0, 0, 0, 100, 0, 30, 0, 0, 2, 1, color, 0];
  const head = [...Buffer.from("GIF89a"), 100, 0, 30, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  const frames = framesOf(Uint8Array.from([...head, ...frame(1), 0x21, 0xf9, 1, 0, 0, ...frame(2), 0x3b]));
  expect(frames).toHaveLength(2);
  expect(frames.map((bytes) => sheetOf(bytes))).toMatchObject([{ width: 100 }, { width: 100 }]);
});
