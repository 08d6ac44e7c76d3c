import { expect, test } from "vitest";
import { read } from "../testing";
import { Evidence, Link, NOWHERE, Severity } from "./evidence";

const { words } = read("Acme Tiles");
const [acme, tiles] = [words.at(0), words.at(1)];

test("records are used again for the next comparison", () => {
  const evidence = new Evidence();
  const finding = evidence.note("typo", Severity.Close, 6).about(acme, tiles);
  const second = evidence.note("order", Severity.Format, 1);
  const tie = evidence.tie(Link.Same, acme, tiles);
  const secondTie = evidence.tie(Link.Letters, tiles, acme);
  evidence.clear();
  expect(evidence.note("plural", Severity.Format, 2)).toBe(finding);
  expect(finding).toMatchObject({ type: "plural", weight: 2, aFirst: NOWHERE, bLast: NOWHERE });
  expect(evidence.note("plural", Severity.Format, 2)).toBe(second);
  expect(evidence.tie(Link.Different, tiles, tiles)).toBe(tie);
  expect(tie).toMatchObject({ link: Link.Different, aFirst: 1, bFirst: 1 });
  expect(evidence.tie(Link.Different, tiles, tiles)).toBe(secondTie);
});

test("no more is kept than two names of the greatest length can give", () => {
  const evidence = new Evidence();
  for (let k = 0; k < 200; k++) {
    evidence.note("typo", Severity.Close, 1);
    evidence.tie(Link.Same, acme, tiles);
  }
  expect([evidence.findingCount, evidence.tieCount, evidence.cost(0, Severity.Close)]).toEqual([160, 160, 160]);
});

test("what was never noted cannot be asked for", () => {
  expect(() => new Evidence().finding(3)).toThrow("There is no finding 3.");
  expect(() => new Evidence().tieAt(4)).toThrow("There is no tie 4.");
});
