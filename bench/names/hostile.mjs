// Texts made to take long to compare. Each comparison is timed in a process of its own, so that no earlier comparison
// of such a text makes it faster.
import { execFileSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const letters = (count, first, many) =>
  Array.from({ length: count }, (_, k) => String.fromCodePoint(first + ((k * 7) % many))).join("");
const words = (count) => Array.from({ length: count }, (_, k) => letters(3 + (k % 6), 97 + (k % 5), 20)).join(" ");

export const HOSTILE = {
  "5,000 signs": () => ["a&".repeat(5000), "a and ".repeat(1500)],
  "a million blanks": () => [`${" ".repeat(1_000_000)}Jo Doe`, "Jo Doe"],
  "100,000 letters": () => [letters(100_000, 97, 26), "Jo Doe"],
  "2,000 words": () => [words(2000), `${words(1999)} z`],
  "47 words": () => [words(47), `${words(46)} z`],
  "5,000 accents": () => [`J${"\u0301\u0316".repeat(2500)}o Doe`, "Jo Doe"],
  "Korean and Latin": () => [letters(150, 0xac00, 2000), words(20)],
  "Cyrillic and Latin": () => [letters(150, 0x430, 32), words(20)],
  "a Korean name": () => ["\ubc15\uc9c0\uc131", "Park Ji Sung"],
  "a Russian name": () => ["\u0418\u0432\u0430\u043d \u0418\u0432\u0430\u043d\u043e\u0432", "Ivan Ivanov"],
  "160 rare characters": () => [letters(160, 0x250, 9000), letters(160, 0x260, 9000)],
};

/** The slowest text: for each text, the fastest of three first comparisons counts, in milliseconds. */
export function slowestHostile(matcher) {
  const self = fileURLToPath(import.meta.url);
  const measured = Object.keys(HOSTILE).map((name) => {
    const runs = [1, 2, 3].map(() => Number(execFileSync(process.execPath, [self, matcher, name])));
    return { name, ms: Math.min(...runs) };
  });
  return measured.reduce((a, b) => (b.ms > a.ms ? b : a));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [matcher, name] = process.argv.slice(2);
  const { matchNames } = await import(matcher);
  matchNames("Jo Doe", "Joe Doe");
  const [a, b] = HOSTILE[name]();
  const from = performance.now();
  matchNames(a, b);
  console.log(performance.now() - from);
}
