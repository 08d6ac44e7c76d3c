import { domainToASCII } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findLookalikeDomain } from "./email";

const names = fc.stringMatching(/^[a-z]{4,20}$/);
const longNames = fc.stringMatching(/^[a-z]{10,20}$/);
const suffixes = fc.constantFrom("com.au", "net.au", "com", "co.nz", "org.au", "au");

describe("findLookalikeDomain", () => {
  test.each([
    // letters that look alike
    ["acrne.com.au", "acme.com.au", "confusable"],
    ["vvestpac.com.au", "westpac.com.au", "confusable"],
    ["g00gle.com", "google.com", "confusable"],
    ["app1e.com", "apple.com", "confusable"],
    ["paypaI.com", "paypal.com", "confusable"],
    ["раураl.com", "paypal.com", "confusable"],
    ["аnz.com.au", "anz.com.au", "confusable"],
    ["acrne.com", "acme.com.au", "confusable"],
    ["bücher.com.au", "bucher.com.au", "confusable"],
    ["mail.acrne.com.au", "acme.com.au", "confusable"],
    ["gmai1.com", "gmail.com", "confusable"],
    // the same in its encoded form
    ["xn--80ak6aa92e.com", "apple.com", "punycode"],
    ["xn--pypal-4ve.com", "paypal.com", "punycode"],
    ["xn--bcher-kva.com.au", "bucher.com.au", "punycode"],
    ["mail.xn--bcher-kva.com.au", "bucher.com.au", "punycode"],
    // slips
    ["smithh.com.au", "smith.com.au", "edit_distance"],
    ["smth.com.au", "smith.com.au", undefined],
    ["wetspac.com.au", "westpac.com.au", "edit_distance"],
    ["acme-plumbing.com.au", "acmeplumbing.com.au", "edit_distance"],
    ["acmeplumbling.com.au", "acmeplumbing.com.au", "edit_distance"],
    ["acneplumbling.com.au", "acmeplumbing.com.au", "edit_distance"],
    ["acme-plumbing.net.au", "acmeplumbing.com.au", "edit_distance"],
    ["wetspac.net.au", "westpac.com.au", undefined],
    ["amce.com.au", "acme.com.au", "edit_distance"],
    ["accme.com.au", "acme.com.au", "edit_distance"],
    ["acmecom.au", "acme.com.au", "edit_distance"],
    ["acnegroupz.com.au", "acmegroups.com.au", "edit_distance"],
    ["acnegroup.com.au", "acmegroup.com.au", "edit_distance"],
    ["acnegruop.com.au", "acmegroup.com.au", undefined],
    // numbers: two of a series are unrelated, but a letter for a digit or an added digit is not
    ["supplier13.com.au", "supplier15.com.au", undefined],
    ["supplier9.com.au", "supplier10.com.au", undefined],
    ["supplier13.com.au", "supplier31.com.au", undefined],
    ["depot2-north.com.au", "depot3-north.com.au", undefined],
    ["supplier13.net.au", "supplier15.com.au", undefined],
    ["1300plumber.com.au", "1800plumber.com.au", undefined],
    ["paint356.com.au", "paint365.com.au", "edit_distance"],
    ["supplierl3.com.au", "supplier13.com.au", "confusable"],
    ["supplier1o.com.au", "supplier10.com.au", "confusable"],
    ["supplier1.com.au", "supplier.com.au", "edit_distance"],
    ["supplierr13.com.au", "supplier13.com.au", "edit_distance"],
    ["suppliers15.com.au", "supplier13.com.au", "edit_distance"],
    // a different suffix
    ["acme.com", "acme.com.au", "other_suffix"],
    ["acme.co", "acme.com.au", "other_suffix"],
    ["acmeplumbing.com", "acmeplumbing.com.au", "other_suffix"],
    ["anz.net.au", "anz.com.au", "other_suffix"],
    ["acme.com.au.example.net", "acme.com.au", "other_suffix"],
    // unrelated domains
    ["acne.com.au", "acme.com.au", undefined],
    ["acmex.com.au", "acme.com.au", undefined],
    ["acee.com.au", "acme.com.au", undefined],
    ["emca.com.au", "acme.com.au", undefined],
    ["ace.com.au", "acme.com.au", undefined],
    ["acme.com.au", "accme.com.au", undefined],
    ["amce.net.au", "acme.com.au", undefined],
    ["nab.com.au", "anz.com.au", undefined],
    ["xn--bcher-kva.com.au", "westpac.com.au", undefined],
    ["xn--99999999.com.au", "westpac.com.au", undefined],
    ["abd.com.au", "abc.com.au", undefined],
    ["a1.com.au", "al.com.au", undefined],
    ["ab.com", "ab.com.au", undefined],
    ["east.com.au", "west.com.au", undefined],
    ["jones.com.au", "smith.com.au", undefined],
    ["harbourplumbing.com.au", "acmeplumbing.com.au", undefined],
    ["health.vic.gov.au", "health.nsw.gov.au", undefined],
    ["health.gov.au", "health.nsw.gov.au", undefined],
    ["health.com.au", "health.nsw.gov.au", "other_suffix"],
    // the same domain
    ["acme.com.au", "acme.com.au", undefined],
    ["ACME.com.au.", "acme.com.au", undefined],
    ["mail.acme.com.au", "acme.com.au", undefined],
    ["acme.com.au", "mail.acme.com.au", undefined],
    ["xn--bcher-kva.com", "bücher.com", undefined],
    // free mail
    ["yahoo.com", "yahoo.com.au", undefined],
    ["ymail.com", "gmail.com", undefined],
    // nothing to compare
    ["", "acme.com.au", undefined],
    ["acme.com.au", "", undefined],
    ["com.au", "acme.com.au", undefined],
  ] as const)("%s beside %s: %s", (domain, known, reason) => {
    expect(findLookalikeDomain(domain, [known])).toEqual(reason && { known, reason });
  });

  test("a known domain is never a look-alike of another known one, whichever comes first", () => {
    expect(findLookalikeDomain("acrne.com.au", ["acme.com.au", "acrne.com.au"])).toBeUndefined();
    expect(findLookalikeDomain("acrne.com.au", ["acrne.com.au", "acme.com.au"])).toBeUndefined();
  });

  test("the strongest reason is reported, and the first of equals", () => {
    const known = ["acmegroup.net.au", "acmegroups.com.au", "acrnegroup.com.au"];
    expect(findLookalikeDomain("acmegroup.com.au", known)?.reason).toBe("confusable");
    expect(findLookalikeDomain("acme.com", ["acme.com.au", "acme.net.au"])?.known).toBe("acme.com.au");
  });

  test("known domains may come from any iterable, read once", () => {
    function* once() {
      yield "example.com.au";
      yield "acme.com.au";
    }
    expect(findLookalikeDomain("acrne.com.au", once())?.known).toBe("acme.com.au");
    expect(findLookalikeDomain("acrne.com.au", new Set<string>())).toBeUndefined();
  });

  test("a domain and its subdomains are never a look-alike of itself", () => {
    fc.assert(
      fc.property(names, suffixes, names, (name, suffix, sub) => {
        expect(findLookalikeDomain(`${name}.${suffix}`, [`${name}.${suffix}`])).toBeUndefined();
        expect(findLookalikeDomain(`${sub}.${name}.${suffix}`, [`${name}.${suffix}`])).toBeUndefined();
      }),
    );
  });

  test("one letter changed in a long name is always found, whatever it is changed to", () => {
    fc.assert(
      fc.property(longNames, suffixes, fc.nat(), fc.stringMatching(/^[a-z0-9]$/), (name, suffix, seed, letter) => {
        const at = seed % name.length;
        fc.pre(name[at] !== letter);
        const disguised = name.slice(0, at) + letter + name.slice(at + 1);
        const found = findLookalikeDomain(`${disguised}.${suffix}`, [`${name}.${suffix}`]);
        expect(found?.reason).toMatch(/^(edit_distance|confusable)$/);
      }),
    );
  });

  test("one Cyrillic letter is found in either form of the domain", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,20}$/), suffixes, (name, suffix) => {
        const disguised = `${name.replace(/[aceopxy]/, (letter) => "асеорху"["aceopxy".indexOf(letter)] ?? letter)}.${suffix}`;
        fc.pre(disguised !== `${name}.${suffix}`);
        const known = `${name}.${suffix}`;
        expect(findLookalikeDomain(disguised, [known])).toEqual({ known, reason: "confusable" });
        expect(findLookalikeDomain(domainToASCII(disguised), [known])).toEqual({ known, reason: "punycode" });
      }),
    );
  });

  test("two names of unlike length are strangers", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[abdeg]{3,6}$/),
        fc.stringMatching(/^[hkopqtuxyz]{9,20}$/),
        suffixes,
        (a, b, suffix) => {
          expect(findLookalikeDomain(`${a}.${suffix}`, [`${b}.${suffix}`])).toBeUndefined();
        },
      ),
    );
  });

  test("any text is answered without an exception", () => {
    const texts = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[a.\-xn0-9]{0,30}$/));
    fc.assert(
      fc.property(texts, texts, (domain, known) => {
        const found = findLookalikeDomain(domain, [known]);
        expect(found?.known ?? known).toBe(known);
      }),
    );
  });
});
