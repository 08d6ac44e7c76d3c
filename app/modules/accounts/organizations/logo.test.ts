import { expect, test } from "vitest";
import { MAX_LOGO_BYTES, readLogo, sniffLogoType } from "./details";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const text = (content: string) => new TextEncoder().encode(content);

test.each([
  ["a PNG", Uint8Array.from([...PNG, 1]), "image/png"],
  ["a JPEG", Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), "image/jpeg"],
  ["a WebP", text("RIFF1234WEBPVP8 "), "image/webp"],
  ["an SVG", text('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), undefined],
  ["a GIF", text("GIF89a"), undefined],
  ["another RIFF file", text("RIFF1234WAVEfmt "), undefined],
  ["half a PNG", Uint8Array.from(PNG.slice(0, 5)), undefined],
  ["nothing", new Uint8Array(), undefined],
])("%s is known by its first bytes", (_, bytes, type) => {
  expect(sniffLogoType(bytes)).toBe(type);
});

test("a picture is kept as a data URL of the type it really is", () => {
  expect(readLogo(Uint8Array.from(PNG))).toEqual({ logo: "data:image/png;base64,iVBORw0KGgo=" });
});

test("what is too large or no picture is refused with the reason", () => {
  const large = new Uint8Array(MAX_LOGO_BYTES + 1);
  large.set(PNG);
  expect(readLogo(large)).toEqual({ problem: "The logo is larger than 32 KB. Make it smaller and try again" });
  expect(readLogo(large.slice(0, MAX_LOGO_BYTES))).toHaveProperty("logo");
  expect(readLogo(text("<html>"))).toEqual({ problem: "A logo is a PNG, JPEG or WebP picture" });
});
