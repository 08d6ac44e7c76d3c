import { describe, expect, test } from "vitest";
import { Role, type SecondKind } from "~/modules/name-match/name";
import { aName, coreOf, withRole, wordsOf, written } from "../../../../tests/support/names";
import { entryOf } from "../vocabulary";

const core = (text: string, part?: SecondKind) => coreOf(aName(text), part);

describe("initials and phrases", () => {
  test.each([
    ["A.B.C. Tiles", ["abc", "tiles"]],
    ["A B C Tiles", ["abc", "tiles"]],
    ["J & R Doe", ["j", "and", "r", "doe"]],
    ["J-R Doe", ["j", "r", "doe"]],
    ["New South Wales Tiles", ["newsouthwales", "tiles"]],
    ["New Tiles", ["new", "tiles"]],
    ["Acme as the trustee for Doe", ["acme", "asthetrusteefor", "doe"]],
  ])("%j is read as %j", (text, words) => {
    expect(wordsOf(aName(text).reading)).toEqual(words);
  });

  test("a phrase means one word", () => {
    const { reading } = aName("Tiles New South Wales");
    expect(reading.words[1]?.entry.meaning).toBe(entryOf("nsw"));
    expect(reading.words.map((word) => written(reading, word))).toEqual(["Tiles", "New South Wales"]);
  });

  test("the initials D and R are no doctor", () => {
    expect(withRole(aName("D R Doe"), Role.Title)).toEqual([]);
    expect(withRole(aName("Dr Doe"), Role.Title)).toEqual(["Dr"]);
  });
});

describe("titles and letters after a name", () => {
  test.each([
    ["Mr Jo Doe", ["Mr"]],
    ["The Hon Jo Doe", ["The", "Hon"]],
    ["Prof Dr Jo Doe", ["Prof", "Dr"]],
    ["Doe, Mrs Jo", ["Mrs"]],
    ["Mr Jo Doe & Mrs Ann Doe", ["Mr", "Mrs"]],
    ["Jo Mr Doe", []],
    ["Jo Doe Mr", []],
  ])("%j has the titles %j", (text, titles) => {
    expect(withRole(aName(text), Role.Title)).toEqual(titles);
  });

  test.each([
    ["Jo Doe OAM", ["OAM"]],
    ["Jo Doe OAM JP", ["OAM", "JP"]],
    ["Doe OAM, Jo", ["OAM"]],
    ["Jo MP", []],
    ["Doe, A C", []],
  ])("%j has the letters %j", (text, letters) => {
    expect(withRole(aName(text), Role.Postnominal)).toEqual(letters);
  });

  test("junior and senior are kept apart", () => {
    expect(withRole(aName("Jo Doe Jnr"), Role.Generation)).toEqual(["Jnr"]);
    expect(withRole(aName("Junior Doe"), Role.Generation)).toEqual([]);
  });
});

describe("legal forms", () => {
  test.each([
    ["Acme Pty Ltd", ["Pty", "Ltd"]],
    ["Acme Proprietary Limited", ["Proprietary", "Limited"]],
    ["Acme P/L", ["P/L"]],
    ["Acme (Inc)", ["Inc"]],
    ["Acme N.L.", ["N.L"]],
    ["Acme No Liability", ["No Liability"]],
    ["Acme GmbH", ["GmbH"]],
    ["OOO Acme", ["OOO"]],
    ["Ag Tiles", []],
    ["Acme AG Tiles", []],
    ["Limited Tiles", []],
    ["Acme Pty Ltd ATF Doe Trust", ["Pty", "Ltd"]],
  ])("%j has the form %j", (text, form) => {
    expect(withRole(aName(text), Role.Legal)).toEqual(form);
  });

  test.each([
    ["Acme Pty Ltd", "Acme Proprietary Limited", true],
    ["Acme Pty Ltd", "Acme P/L", true],
    ["Acme Pty Ltd", "Acme PL", true],
    ["Acme Inc", "Acme Incorporated", true],
    ["Acme Pty Ltd", "Acme Ltd", false],
    ["Acme Pty Ltd", "Acme Pty", false],
    ["Acme NL", "Acme Ltd", false],
    ["Acme", "Acme Ltd", false],
  ])("the forms of %j and %j are equal: %s", (a, b, equal) => {
    expect(aName(a).main.form === aName(b).main.form).toBe(equal);
  });
});

describe("typing errors in a legal form", () => {
  test.each([
    ["Acme Pty Lt", ["Pty", "Lt"]],
    ["Acme ty Ltd", ["ty", "Ltd"]],
    ["Acme Pty Ldt", ["Pty", "Ldt"]],
    ["Acme Pty Limitd", ["Pty", "Limitd"]],
    ["Acme Pty Limmited", ["Pty", "Limmited"]],
    ["Acme Propritary Ltd", ["Propritary", "Ltd"]],
    ["Acme Propriatery Ltd", ["Propriatery", "Ltd"]],
    ["Acme Pty Itd", ["Pty", "Itd"]],
    ["Acme Pty Ltdu", ["Pty", "Ltdu"]],
    ["Acme Pty Dtl", ["Pty"]],
    ["Acme Pty Pry", ["Pty"]],
    ["Acme Pty Lid", ["Pty"]],
    ["Acme Pay Ltd", ["Ltd"]],
    ["Acme Party Ltd", ["Ltd"]],
    ["Acme Poetry Ltd", ["Ltd"]],
    ["Acme Limits Pty", ["Pty"]],
    ["Acme Proper Ltd", ["Ltd"]],
    ["Acme Proprieties Ltd", ["Ltd"]],
    ["Py Ltd", ["Ltd"]],
    ["Acme Py NL", ["NL"]],
    ["Acme Py Inc", ["Inc"]],
  ])("%j has the form %j", (text, form) => {
    const name = aName(text);
    expect(withRole(name, Role.Legal)).toEqual(form);
    expect(name.main.isFormSlipped).toBe(form.length === 2);
    expect(name.main.form === aName("Acme Pty Ltd").main.form).toBe(form.length === 2);
  });
});

describe("other kinds of holder", () => {
  test.each([
    ["Doe Trust", "trust", ["Doe"]],
    ["Doe Family Trust", "trust", ["Doe"]],
    ["Doe Property Trust", "trust", ["Doe", "Property"]],
    ["Doe Super Fund", "fund", ["Doe"]],
    ["Doe Superannuation Fund", "fund", ["Doe"]],
    ["Doe SMSF", "fund", ["Doe"]],
    ["Doe Support Fund", "plain", ["Doe", "Support", "Fund"]],
    ["Estate of Jo Doe", "estate", ["Jo", "Doe"]],
    ["Jo Doe Deceased", "estate", ["Jo", "Doe"]],
    ["Trust Bank", "plain", ["Trust", "Bank"]],
    ["Tideline Super Pty Ltd", "plain", ["Tideline", "Super"]],
  ])("%j is read with its kind", (text, holder, words) => {
    expect(aName(text).main.holder).toBe(holder);
    expect(core(text)).toEqual(words);
  });

  test("kinds of trusts are told apart", () => {
    const kind = (text: string) => aName(text).main.trustKind;
    expect(kind("Doe Family Trust")).toBe("family");
    expect(kind("Doe Unit Trust")).toBe("unit");
    expect(kind("Doe Trust")).toBe("");
  });
});

describe("other names within a name", () => {
  test.each([
    ["Acme Pty Ltd T/A Bolt Tiles", "trading" as const, ["Acme"], ["Bolt", "Tiles"]],
    ["Acme trading as Bolt", "trading" as const, ["Acme"], ["Bolt"]],
    ["Acme ATF Doe Family Trust", "beneficiary" as const, ["Acme"], ["Doe"]],
    ["Acme as trustee for the Doe Trust", "beneficiary" as const, ["Acme"], ["Doe"]],
    ["Acme trustee for Doe Trust", "beneficiary" as const, ["Acme"], ["Doe"]],
    ["Ann Doe nee Roe", "alias" as const, ["Ann", "Doe"], ["Roe"]],
    ["Ann Doe C/- Acme", "alias" as const, ["Ann", "Doe"], ["Acme"]],
    ["Acme formerly known as Bolt", "alias" as const, ["Acme"], ["Bolt"]],
  ])("%j has another part", (text, part, main, other) => {
    expect(core(text)).toEqual(main);
    expect(core(text, part)).toEqual(other);
    expect(aName(text)[part]).toBeDefined();
  });

  test.each([
    ["Acme Pty Ltd TA Bolt", true],
    ["Acme TA Bolt", false],
    ["TA Bolt Tiles", false],
    ["Bao Ta Bolt", false],
    ["Acme Pty LtdT/A Bolt", true],
    ["Acme LimitedT/F Bolt", true],
    ["Acme Pty LtdATF Bolt", true],
  ])("%j has two parts: %s", (text, has) => {
    const { trading, beneficiary } = aName(text);
    expect((trading ?? beneficiary) !== undefined).toBe(has);
  });

  test.each([
    ["Acme Pty Ltd aft Doe Trust", 3],
    ["Acme Pty Ltd T/S Bolt", 3],
    ["Acme Pty Ltd ATF Doe Trust", undefined],
  ])("the typing error in the connector of %j is word %s", (text, index) => {
    expect(aName(text).connectorSlip?.index).toBe(index);
  });

  test("a connector at the end of a name connects nothing", () => {
    const { trading, beneficiary, alias } = aName("Acme trading as");
    expect([trading, beneficiary, alias]).toEqual([undefined, undefined, undefined]);
  });

  test("the trustee for a trust is the trust", () => {
    expect(core("The Trustee for the Doe Family Trust")).toEqual(["Doe"]);
    expect(aName("The Trustee for the Doe Family Trust").style?.index).toBe(0);
    expect(aName("Doe Family Trust").style).toBeUndefined();
  });
});

describe("what is typed besides the name", () => {
  test.each([
    ["Acme Pty Ltd ABN 51 824 753 556", ["ABN", "51", "824", "753", "556"], true],
    ["Acme (ABN 51824753556)", ["ABN", "51824753556"], true],
    ["Acme 51 824 753 556", ["51", "824", "753", "556"], true],
    ["Acme Invoice 10482", ["Invoice", "10482"], false],
    ["Jo Doe 0412 345 678", ["0412", "345", "678"], false],
    ["Jo Doe rent", ["rent"], false],
    ["Rent Roll Realty", [], false],
    ["Acme ABN Tiles", [], false],
    ["Acme 24", [], false],
  ])("%j carries the reference %j", (text, words, registered) => {
    const name = aName(text);
    expect(withRole(name, Role.Reference)).toEqual(words);
    expect(name.isRegistered).toBe(registered);
  });

  test.each([
    ["Unit No 4", ["No"]],
    ["Unit Number Four", ["Number"]],
    ["No Worries", []],
  ])("%j has the number sign %j", (text, signs) => {
    expect(withRole(aName(text), Role.Skipped)).toEqual(signs);
  });

  test.each([
    ["Acme Tiles Payroll Account", ["Payroll", "Account"]],
    ["Doe Roe Trust A/C", ["Trust", "A/C"]],
    ["Account Tiles", []],
  ])("%j is for %j", (text, purpose) => {
    expect(withRole(aName(text), Role.Purpose)).toEqual(purpose);
  });
});

test("a comma is found between the words it stands between, past a title", () => {
  expect(aName("Doe, Jo").beforeComma).toBe(1);
  expect(aName("Doe, Mr Jo").beforeComma).toBe(1);
  expect(aName("Jo Doe").beforeComma).toBe(0);
});

test("a leading article is left out and an inner one is kept", () => {
  expect(core("The Acme")).toEqual(["Acme"]);
  expect(core("Bank of the Bay")).toEqual(["Bank", "of", "the", "Bay"]);
});
