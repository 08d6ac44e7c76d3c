import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DirectoryRow, parseDirectory } from "./parse-directory.mjs";

const OPEN: DirectoryRow = {
  bsb: "062000",
  mnemonic: "CBA",
  name: "Example Street",
  street: "Level 1, 1 Example Street",
  suburb: "Sydney",
  state: "NSW",
  postcode: "2000",
  paper: true,
  electronic: true,
  highValue: true,
  status: "open",
  successorBsb: null,
};

function theRow(line: string): DirectoryRow | undefined {
  const { rows, errors } = parseDirectory(line);
  expect(errors).toEqual([]);
  expect(rows).toHaveLength(1);
  return rows[0];
}

describe("a row of the directory", () => {
  test("an open branch", () => {
    expect(theRow('062-000,CBA,Example Street,"Level 1, 1 Example Street",Sydney,NSW,2000,PEH')).toEqual(OPEN);
  });

  test("every field quoted, a BSB without hyphen and stray blanks make no difference", () => {
    const line = '"062000","CBA","Example  Street ","Level 1, 1 Example Street"," Sydney","NSW","2000","PEH"';
    expect(theRow(line)).toEqual(OPEN);
  });

  test("what the directory leaves empty is null", () => {
    expect(theRow("062-000,CBA,Online,,,,,PEH")).toMatchObject({
      street: null,
      suburb: null,
      state: null,
      postcode: null,
    });
  });

  test.each([
    ["PEH", true, true, true],
    ["PE ", true, true, false],
    [" E ", false, true, false],
    [" EH", false, true, true],
    ["  H", false, false, true],
    ["P  ", true, false, false],
    ["P H", true, false, true],
    ["E", false, true, false],
    ["", false, false, false],
  ])("flags %j: paper %s, electronic %s, high value %s", (flags, paper, electronic, highValue) => {
    expect(theRow(`062-000,CBA,A,B,C,NSW,2000,${flags}`)).toMatchObject({ paper, electronic, highValue });
  });

  test.each([
    ["Merged", "Refer to BSB 012-019", "Merged", null, "merged", "012019"],
    ["Merged", "Refer to BSB 012-019 10/14", "Merged", null, "merged", "012019"],
    ["Merged", "Refer to BSB 012019", "Merged", null, "merged", "012019"],
    ["Merged", "merging with 012-019", "Merged", null, "merged", "012019"],
    ["Closed", "Refer BSB 012-019 03/15", "Closed", null, "closed", "012019"],
    ["Closed", "Refer to 012-019 4/18", "Closed", null, "closed", "012019"],
    ["Example LtdMerged", "Refer to BSB 012-019", "Example Ltd", null, "merged", "012019"],
    ["9 High Street (Closed)", "9 High Street", "9 High Street", "9 High Street", "closed", null],
    ["Closed", "", "Closed", null, "closed", null],
    ["Example", "Refer to BSB 012-019", "Example", null, "merged", "012019"],
    ["Relocated", "Refer to BSB 062-000", "Relocated", null, "open", null],
    ["Merged", "Refer to BSB 062-000", "Merged", null, "merged", null],
    ["Account Closures", "4 Collins Street", "Account Closures", "4 Collins Street", "open", null],
    ["Closed Loop Cards", "5 Example Close", "Closed Loop Cards", "5 Example Close", "open", null],
    ["High Growth Emerge", "1 Reference Road", "High Growth Emerge", "1 Reference Road", "open", null],
  ])("%s, %s", (name, street, shownName, shownStreet, status, successorBsb) => {
    expect(theRow(`062-000,CBA,${name},${street},Sydney,NSW,2000,PEH`)).toMatchObject({
      name: shownName,
      street: shownStreet,
      status,
      successorBsb,
    });
  });
});

describe("a file of the directory", () => {
  const line = (bsb: string) => `${bsb},CBA,A,B,Sydney,NSW,2000,PEH`;

  test("rows keep their order, with or without a header and a last line end", () => {
    const header = "BSB,Mnemonic,Name,Street,Suburb,State,Postcode,Flags";
    for (const text of [
      `${line("062-001")}\n${line("062-000")}`,
      `\ufeff${header}\r\n${line("062-001")}\r\n${line("062-000")}\r\n`,
    ]) {
      const { rows, errors } = parseDirectory(text);
      expect(errors).toEqual([]);
      expect(rows.map(({ bsb }) => bsb)).toEqual(["062001", "062000"]);
    }
  });

  test("every fault is reported with its line, and the good rows beside them are still read", () => {
    const { rows, errors } = parseDirectory(
      [
        line("062-000"),
        line("62-000"),
        line("0062-000"),
        line("062-0000"),
        "062-001,CBA,A,B,Sydney,NSW,2000",
        "062-002,Commonwealth,A,B,Sydney,NSW,2000,PEH",
        "062-003,CBA, ,B,Sydney,NSW,2000,PEH",
        "062-004,CBA,A,B,Sydney,NSW,2000,PEX",
        "062-005,CBA,A,B,Sydney,NSW,2000,PP",
        line("062-000"),
        line("062-006"),
      ].join("\n"),
    );
    expect(errors).toEqual([
      'line 2: "62-000" is not a BSB',
      'line 3: "0062-000" is not a BSB',
      'line 4: "062-0000" is not a BSB',
      "line 5: 7 columns where the directory has 8",
      'line 6: "Commonwealth" is not an institution\'s mnemonic',
      "line 7: the name is missing",
      'line 8: "PEX" are not payment flags (P, E, H)',
      'line 9: "PP" are not payment flags (P, E, H)',
      "line 10: BSB 062-000 is already on line 1",
    ]);
    expect(rows.map(({ bsb }) => bsb)).toEqual(["062000", "062006"]);
  });

  test("a file that is no CSV is one fault", () => {
    expect(parseDirectory(`${line("062-000")}\n062-001,"CBA`)).toEqual({
      rows: [],
      errors: ["line 2: a quoted field is not closed"],
    });
  });

  test.each(["", "\n\n", "bsb,mnemonic,name,street,suburb,state,postcode,flags\n"])("%j holds no rows", (text) => {
    expect(parseDirectory(text)).toEqual({ rows: [], errors: ["line 1: the file holds no rows"] });
  });

  test("any text gives rows or faults, without an exception", () => {
    const texts = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[0-9PEH,"\n -]{0,60}$/));
    fc.assert(
      fc.property(texts, (text) => {
        const { rows, errors } = parseDirectory(text);
        expect(rows.length + errors.length).toBeGreaterThan(0);
      }),
    );
  });
});
