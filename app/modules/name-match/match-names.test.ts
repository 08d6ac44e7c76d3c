import { afterEach, describe, expect, test, vi } from "vitest";
import { matchNames } from "./match-names";
import type { MatchType, NameDifferenceType, NameKind } from "./types";

type Case = readonly [submitted: string, held: string, matchType: MatchType, difference?: NameDifferenceType];

function table(kind: NameKind, cases: readonly Case[]) {
  for (const [submitted, held, matchType, difference] of cases) {
    test(`${submitted} for ${held} is ${matchType}`, () => {
      for (const hint of [kind, undefined]) {
        const result = matchNames(submitted, held, hint);
        expect(result.matchType).toBe(matchType);
        if (difference) expect(result.differences.map(({ type }) => type)).toContain(difference);
        expect(matchNames(held, submitted, hint).matchType).toBe(matchType);
      }
    });
  }
}

describe("people", () => {
  table("person", [
    ["Jo Bellamy", "JO BELLAMY", "exact", "formatting"],
    ["Mr Jo Bellamy", "Jo Bellamy", "exact", "title"],
    ["Dr Ann Doe", "Ms Ann Doe", "exact", "title"],
    ["BELLAMY, Jo", "Jo Bellamy", "exact"],
    ["Bellamy, Mr Jo", "Jo Bellamy", "exact"],
    ["Ann Doe OAM", "Ann Doe", "exact", "title"],
    ["Patrick O'Hara", "PATRICK OHARA", "exact"],
    ["Patrick O Hara", "Patrick O'Hara", "exact", "spacing"],
    ["Ann-Marie Doe", "Ann Marie Doe", "exact"],
    ["Zo\u00eb Bront\u00eb", "Zoe Bronte", "exact", "diacritic"],
    ["Maria De La Rue", "MARIA DELARUE", "exact", "spacing"],
    ["J R Doe", "JR Doe", "exact"],
    ["Jo\u200b Bellamy", "Jo Bellamy", "exact", "formatting"],
    ["J Bellamy", "John Bellamy", "fuzzy", "initial"],
    ["JR Bellamy", "John Robert Bellamy", "fuzzy", "initial"],
    ["John R Bellamy", "John Robert Bellamy", "fuzzy", "initial"],
    ["John Bellamy", "John Robert Bellamy", "fuzzy", "missing_token"],
    ["Liz Doe", "Elizabeth Doe", "fuzzy", "nickname"],
    ["Steven Doe", "Stephen Doe", "fuzzy", "typo"],
    ["Jhon Bellamy", "John Bellamy", "fuzzy", "typo"],
    ["John Bellamey", "John Bellamy", "fuzzy", "typo"],
    ["Bellamy John", "John Bellamy", "fuzzy", "order"],
    ["Ann Quince-Doe", "Ann Doe", "fuzzy", "extra_token"],
    ["Ann Doe (nee Quince)", "Ann Doe", "fuzzy"],
    ["Robert (Bob) Doe", "Robert Doe", "fuzzy"],
    ["John Doe Jnr", "John Doe", "fuzzy", "title"],
    ["John Doe rent", "John Doe", "fuzzy", "reference"],
    ["J0hn Bellamy", "John Bellamy", "fuzzy", "homoglyph"],
    ["J\u043ehn Bellamy", "John Bellamy", "fuzzy", "homoglyph"],
    ["Joh N Bellamyx", "John Bellamy", "fuzzy"],
    ["\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432", "Ivan Petrov", "fuzzy", "script"],
    ["John Bellamy", "Jane Bellamy", "none", "different_token"],
    ["John Bellamy", "John Quince", "none", "different_token"],
    ["Gwennie Doe", "Gwendolyn Doe", "fuzzy", "nickname"],
    ["Maddy Doe", "Madeline Doe", "fuzzy", "nickname"],
    ["Roslyn Doe", "Rosalind Doe", "fuzzy", "nickname"],
    ["Bao Ta", "Ta Bao", "fuzzy", "order"],
    ["Carly Doe", "Carl Doe", "none"],
    ["Kelly Doe", "Kelvin Doe", "none"],
    ["Marilyn Doe", "Marlin Doe", "fuzzy", "typo"],
    ["Carolyn Doe", "Marilyn Doe", "none"],
    ["Bob Doe", "Bill Doe", "none"],
    ["J Doe", "Robert Doe", "none"],
    ["John A Doe", "John B Doe", "none"],
    ["John Doe Jnr", "John Doe Snr", "none", "title"],
    ["Wesley Hunt", "Wesley Hurt", "none"],
    ["Grace Doe", "Bob Doe", "none"],
    ["\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432", "Sergei Volkov", "none"],
  ]);

  test("a surname alone is nobody", () => {
    expect(matchNames("Bellamy", "John Bellamy", "person").matchType).toBe("none");
    expect(matchNames("John Bellamy", "Bellamy", "person").matchType).toBe("none");
  });
});

describe("joint holders", () => {
  table("joint", [
    ["John and Ann Doe", "John & Ann Doe", "exact", "and_symbol"],
    ["Mr John Doe & Mrs Ann Doe", "John & Ann Doe", "exact", "title"],
    ["Doe, John & Ann", "John & Ann Doe", "exact"],
    ["Mr and Mrs John and Ann Doe", "John & Ann Doe", "exact"],
    ["J & A Doe", "John & Ann Doe", "fuzzy", "initial"],
    ["Ann & John Doe", "John & Ann Doe", "fuzzy", "order"],
    ["John Doe", "John & Ann Doe", "fuzzy", "joint_holder"],
    ["John Doe or Ann Doe", "John Doe & Ann Doe", "fuzzy", "and_symbol"],
    ["Mr & Mrs Doe", "John & Ann Doe", "fuzzy", "joint_holder"],
    ["Mr & Mrs J Doe", "John & Ann Doe", "fuzzy"],
    ["John & Ann Doe", "Peter & Mary Doe", "none", "different_token"],
    ["John Doe & Ann Quince", "John Quince & Ann Doe", "none"],
    ["John & Ann Doe", "John & Mary Doe", "none"],
    ["Peter Doe", "John & Ann Doe", "none", "different_token"],
    ["John Doe and others", "John Doe & Ann Doe", "fuzzy", "joint_holder"],
    ["John Doe & ors", "John Doe & Ann Doe", "fuzzy", "joint_holder"],
    ["Peter Doe and others", "John Doe & Ann Doe", "none"],
    ["John & Ann Doe & Peter Quince", "John & Ann Doe", "fuzzy", "joint_holder"],
  ]);
});

describe("organisations", () => {
  table("org", [
    ["ACME PTY LTD", "Acme Pty. Ltd.", "exact"],
    ["Acme Proprietary Limited", "ACME P/L", "exact", "legal_form"],
    ["Doe's Bakery Pty Ltd", "Does Bakery Pty Ltd", "exact"],
    ["Doe & Quince Pty Ltd", "Doe and Quince Pty Ltd", "exact", "and_symbol"],
    ["Castle &amp; Doe Lawyers", "Castle & Doe Lawyers", "exact"],
    ["The Acme Company Pty Ltd", "Acme Co Pty Ltd", "exact", "abbreviation"],
    ["A.B.C. Tiles", "ABC Tiles", "exact"],
    ["Dept of Roads", "Department of Roads", "exact", "abbreviation"],
    ["Acme Tiles (Qld) Pty Ltd", "Acme Tiles (Queensland) Pty Ltd", "exact", "abbreviation"],
    ["Acme New South Wales", "Acme NSW", "exact"],
    ["Five Star Tiles", "5 Star Tiles", "exact", "number"],
    ["Unit No. 4 Pty Ltd", "Unit Number Four Pty Ltd", "exact"],
    ["LifeLine Tiles", "Life Line Tiles", "exact", "spacing"],
    ["Caf\u00e9 Acme", "Cafe Acme", "exact", "diacritic"],
    ["Acme Pty Ltd ABN 51 824 753 556", "Acme Pty Ltd", "exact", "reference"],
    ["Acme P/L A/T/F Doe Family Trust", "Acme Pty Ltd as trustee for the Doe Family Trust", "exact"],
    ["Acme Pty Ltd T/A Bolt Tiles", "Acme P/L trading as Bolt Tiles", "exact"],
    ["Acme", "Acme Pty Ltd", "fuzzy", "legal_form"],
    ["Acme Ltd", "Acme Pty Ltd", "fuzzy", "legal_form"],
    ["Acme Tiles Australia", "Acme Tiles", "fuzzy", "place"],
    ["Acme Tiles Bendigo", "Acme Tiles", "fuzzy", "place"],
    ["Acme Tilling Service", "Acme Tilling Services", "fuzzy", "plural"],
    ["Acme Plumbng", "Acme Plumbing", "fuzzy", "typo"],
    ["Acrne Tiles", "Acme Tiles", "fuzzy", "homoglyph"],
    ["\u0410cme Tiles", "Acme Tiles", "fuzzy", "homoglyph"],
    ["BAC", "Bellbird Angling Club", "fuzzy", "acronym"],
    ["Bellbird Club", "Club of Bellbird", "fuzzy", "order"],
    ["Doe Quince Lawyers", "Doe & Quince Lawyers", "fuzzy", "and_symbol"],
    ["Bolt Tiles", "Acme Pty Ltd T/A Bolt Tiles", "fuzzy", "trading_as"],
    ["Acme Pty Ltd", "Acme Pty Ltd T/A Bolt Tiles", "fuzzy", "trading_as"],
    ["Acme Pty Ltd (Bolt Tiles)", "Acme Pty Ltd T/A Bolt Tiles", "exact"],
    ["Acme Pty Ltd T/A Bolt Tiles", "Acme Pty Ltd T/A Nut Tiles", "fuzzy", "trading_as"],
    ["Acme Pty Ltd", "Acme Pty Ltd ATF Doe Family Trust", "fuzzy", "trustee"],
    ["Doe Family Trust", "Acme Pty Ltd ATF Doe Family Trust", "fuzzy", "trustee"],
    ["The Trustee for the Doe Family Trust", "Doe Family Trust", "fuzzy", "trustee"],
    ["Acme Pty Ltd ATF Doe Trust", "Bolt Pty Ltd ATF Doe Trust", "fuzzy", "trustee"],
    ["Acme Tiles Payroll Account", "Acme Tiles", "fuzzy", "extra_token"],
    ["Acme Tiles Invoice 99", "Acme Tiles", "fuzzy", "reference"],
    ["Bellbird Regional Angling and Tr", "Bellbird Regional Angling and Trawling Society", "fuzzy", "truncation"],
    ["Estate of John Doe", "John Doe", "fuzzy", "entity_kind"],
    ["Acme Holdings Pty Ltd", "Acme Pty Ltd", "none"],
    ["Acme Pty Ltd", "Acme Family Trust", "none", "entity_kind"],
    ["Acme Family Trust", "Acme Unit Trust", "none", "entity_kind"],
    ["Acme Super Fund", "Acme Family Trust", "none", "entity_kind"],
    ["Acme Sydney", "Acme Melbourne", "none", "place"],
    ["Acme (NSW) Pty Ltd", "Acme (Vic) Pty Ltd", "none", "place"],
    ["Acme 1 Pty Ltd", "Acme 2 Pty Ltd", "none", "number"],
    ["Acme Fund", "Acme Fund 2", "none", "number"],
    ["Acme Plumbing", "Acme Electrical", "none", "different_token"],
    ["Acme Plumbing", "Bolt Plumbing", "none", "different_token"],
    ["North Acme Tiles", "South Acme Tiles", "none", "place"],
    ["Acme Boys School", "Acme Girls School", "none"],
    ["Acme School", "Acme Girls School", "none"],
    ["Pty Ltd", "Acme Pty Ltd", "none"],
    ["John Doe", "John Doe Pty Ltd", "fuzzy", "entity_kind"],
    ["John Doe", "Doe Family Trust", "none", "entity_kind"],
    ["Bolt Tiles", "Acme Pty Ltd T/A Nut Tiles", "none", "different_token"],
    ["Acme Pty Ltd T/A Bolt", "Zorpix Pty Ltd T/A Bolt", "none", "different_token"],
    ["Acme Pty Ltd ATF Doe Trust", "Acme Pty Ltd ATF Quince Trust", "none", "different_token"],
    ["Quince Lawyers Office Account", "Quince Lawyers Trust Account", "none"],
    ["Acme Tiles Pty Lt", "Acme Tiles Pty Ltd", "fuzzy", "typo"],
    ["Acme Tiles ty Ltd", "Acme Tiles Pty Ltd", "fuzzy", "typo"],
    ["Acme Tiles Pty Ptd", "Acme Tiles Pty Ltd", "fuzzy", "typo"],
    ["Acme Lt Tiles", "Acme Tiles", "fuzzy", "extra_token"],
    ["Acme PtyLtd", "Acme Pty Ltd", "exact", "legal_form"],
    ["Acme Tiles Pty Limted", "Acme Tiles Pty Ltd", "fuzzy", "typo"],
    ["Acme Tiles Propietary Limited", "Acme Tiles Pty Ltd", "fuzzy", "typo"],
    ["Acme Pty Led", "Acme Pty Ltd", "none"],
    ["Acme Pay Ltd", "Acme Pty Ltd", "none"],
    ["Acme Pty Ltd aft Doe Trust", "Acme Pty Ltd ATF Doe Trust", "fuzzy", "typo"],
    ["Acme Pty Ltd T/S Bolt Tiles", "Acme Pty Ltd T/A Bolt Tiles", "fuzzy", "typo"],
    ["Acme Pty Ltd T/S Bolt Tiles", "Acme Pty Ltd T/S Bolt Tiles.", "exact"],
    ["Acme Pty Ltd aft Doe Trust", "Doe Trust", "fuzzy", "trustee"],
    ["Acme Pty Ltd T/F Doe Trust", "Acme Pty Ltd ATF Doe Trust", "exact"],
    ["Acme Pty Ltd TA Bolt Tiles", "Acme Pty Ltd T/A Bolt Tiles", "exact"],
    ["Acme Pty LtdT/F Doe Trust", "Acme Pty Ltd T/F Doe Trust", "exact", "formatting"],
    ["Acme Pty LtdATF Doe Trust", "Acme Pty Ltd ATF Doe Trust", "exact", "spacing"],
    ["Acme P/LT/A Bolt Tiles", "Acme Pty Ltd trading as Bolt Tiles", "exact", "abbreviation"],
    ["Acme P/LATF Doe Trust", "Acme Pty Ltd ATF Doe Trust", "exact", "legal_form"],
    ["Acme PtyLtdATF Doe Trust", "Acme Pty Ltd ATF Doe Trust", "exact", "spacing"],
    ["Acme Pty Ltd ATFThe Doe Trust", "Acme Pty Ltd ATF the Doe Trust", "exact", "spacing"],
    ["Acme Corporation Ltd", "Acme Pty Ltd", "none"],
    ["Acme Roprietarx Ltd", "Acme Pty Ltd", "none"],
    ["Acme\u2122 Tiles Pty Ltd", "Acme Tiles Pty Ltd", "exact", "formatting"],
    ["Acme\u00ae Tiles", "Acme Tiles", "exact", "formatting"],
    ["Acme (TM) Tiles Pty Ltd", "Acme Tiles Pty Ltd", "exact", "extra_token"],
    ["Acme Tiles (R)", "Acme Tiles", "exact", "extra_token"],
    ["Acme Tiles [R]", "Acme Tiles", "fuzzy", "extra_token"],
    ["Acme R Tiles Pty Ltd", "Acme Tiles Pty Ltd", "none"],
    ["Jo (R) Doe", "Jo Doe", "exact"],
    ["Acme Pty Limitedas trustee for Doe Trust", "Acme Pty Ltd as trustee for Doe Trust", "exact"],
    ["Acme Club (Juniors)", "Acme Club", "fuzzy", "extra_token"],
    ["Acme Club (Junior)", "Acme Club", "fuzzy", "extra_token"],
    ["Acme Club Junior", "Acme Club", "none", "extra_token"],
    ["Acme Club", "Acme Club Junior", "none", "missing_token"],
    ["Acme Club Junior", "Acme Club Senior", "none", "different_token"],
    ["Acme Club Junior", "ACME Club Junior", "exact"],
    ["Acme Club (Fund)", "Acme Club", "none"],
    ["Acme Club (2)", "Acme Club", "none"],
    ["Acme Club (Juniors) Bendigo", "Acme Club", "none"],
    ["Acme Tiles Pty Ltd (In Liquidation)", "Acme Tiles Pty Limited", "fuzzy", "extra_token"],
    ["Acme Pty Ltd as trustee forThe Doe Trust", "Acme Pty Ltd as trustee for the Doe Trust", "exact"],
    ["Acme No1 Tiles", "Acme No. 1 Tiles", "exact", "spacing"],
    ["Acme No13 Tiles", "Acme No 13 Tiles", "exact", "spacing"],
    ["Acme No1 Tiles", "Acme 1 Tiles", "exact", "abbreviation"],
    ["Acme No1 Tiles", "Acme No 2 Tiles", "none"],
    ["N/A", "Acme Tiles", "none", "blank"],
    ["test", "Acme Tiles", "none", "blank"],
    ["?", "Acme Tiles", "none", "blank"],
    ["", "Acme Tiles", "none", "blank"],
    ["12345", "Acme Tiles", "none", "blank"],
    ["Zorp Vane", "Quill Mart", "none"],
  ]);
});

test("an identical name is 100 and has no differences", () => {
  expect(JSON.parse(JSON.stringify(matchNames("Acme Pty Ltd", "Acme Pty Ltd")))).toEqual({
    score: 100,
    matchType: "exact",
    differences: [],
    parts: [{ status: "same", submittedStart: 0, submittedEnd: 12, heldStart: 0, heldEnd: 12 }],
  });
});

describe("texts longer than any name", () => {
  const READS_ALL = ["toLowerCase", "normalize", "replace", "split", "matchAll", "match"] as const;

  afterEach(() => vi.restoreAllMocks());

  test.each([
    ["signs", "&".repeat(5000), "and ".repeat(5000)],
    ["blanks", " ".repeat(100_000), `a${" ".repeat(100_000)}`],
    ["a name and blanks", `Jo Doe${" ".repeat(100_000)}`, "Jo Doe"],
    ["words", "a ".repeat(3000), "b ".repeat(3000)],
  ])("are not read to the end: %s", (_, a, b) => {
    const calls = READS_ALL.map((method) => vi.spyOn(String.prototype, method));
    const answer = matchNames(a, b);
    expect(answer.matchType).toBe("none");
    expect(answer.parts).toHaveLength(1);
    const longest = calls.flatMap(({ mock }) => mock.contexts).map((text) => String(text).length);
    expect(Math.max(0, ...longest)).toBeLessThan(100);
  });

  test("are the same only when they are identical", () => {
    const text = "Jo Doe ".repeat(2000);
    expect(matchNames(text, `${text}`).matchType).toBe("exact");
    expect(matchNames(text, text.toUpperCase()).matchType).toBe("none");
    expect(matchNames(".".repeat(5000), ".".repeat(5000)).matchType).toBe("none");
  });

  test("of a few thousand letters may differ in case and signs", () => {
    const text = "Jo Doe, ".repeat(200);
    expect(matchNames(text, text.toUpperCase().replaceAll(",", ""))).toMatchObject({ score: 97, matchType: "exact" });
    expect(matchNames(text, `${text}x`).score).toBe(0);
  });
});

test.each([
  ["The Pty Ltd", "Mr Pty Ltd", undefined],
  ["The Trust", "Mr Trust", "org"],
  ["others Micah", "The and", "joint"],
] as const)("%j and %j share no word that tells who it is", (submitted, held, kind) => {
  expect(matchNames(submitted, held, kind).matchType).toBe("none");
});

test("a blank name is no match, even of itself", () => {
  expect(matchNames("", "").matchType).toBe("none");
  expect(matchNames("N/A", "N/A").matchType).toBe("none");
  expect(matchNames("  ", "  ").score).toBe(0);
});

test.each([
  ["ACME", "Acme", 99],
  ["Acme P/L", "Acme Pty Ltd", 98],
  ["Acme", "Acme Pty Ltd", 91],
  ["Bob Doe", "Robert Doe", 87],
  ["Acme Tiles Bendigo", "Acme Tiles", 84],
  ["John Doe", "Jane Quince", 0],
])("%j for %j scores %d", (a, b, score) => {
  expect(matchNames(a, b).score).toBe(score);
});

test("a shared surname raises the score of no match, and no more", () => {
  const { score } = matchNames("John Bellamy", "Jane Bellamy", "person");
  expect(score).toBeGreaterThan(20);
  expect(score).toBeLessThan(70);
});

test("one sentence says what a number written with No means", () => {
  expect(matchNames("Acme No1", "Acme 1").differences.map(({ type }) => type)).toEqual(["abbreviation"]);
  expect(matchNames("Acme No1", "Acme No 2").differences.map(({ type }) => type)).toEqual(["number"]);
});

test("a difference quotes both names", () => {
  expect(matchNames("Liz Doe", "Elizabeth DOE").differences).toEqual([
    { type: "nickname", submitted: "Liz", held: "Elizabeth", points: 13 },
  ]);
  expect(matchNames("Acme Pty Ltd", "Acme Limited").differences).toEqual([
    { type: "legal_form", submitted: "Pty Ltd", held: "Limited", points: 14 },
  ]);
});

test("names that read the same in another script's letters are look-alikes", () => {
  expect(matchNames("\u0410\u0441\u0435", "Ace")).toMatchObject({
    score: 76,
    matchType: "fuzzy",
    differences: [{ type: "homoglyph" }],
  });
});

test("the evidence in the names outweighs the hint", () => {
  expect(matchNames("John Bellamy", "Bellamy John", "org").matchType).toBe("fuzzy");
  expect(matchNames("Acme Pty Ltd", "Acme Family Trust", "person").matchType).toBe("none");
});
