import geist from "@fontsource-variable/geist/files/geist-latin-wght-normal.woff2";
import newsreader from "@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2";

/** Addresses of the two font files, for the root's `links` (rel preload, as font, crossOrigin anonymous). */
export const fontHrefs: readonly string[] = [geist, newsreader];
