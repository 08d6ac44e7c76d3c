import { json } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { publicPage } from "~/components/marketing/meta";
import labelled from "~/components/marketing/name-matching/labelled.json";
import measured from "~/components/marketing/name-matching/measured.json";
import { exampleOf, LEGAL_FORM_ENTRY, NameTrial, useTrial } from "~/components/marketing/name-trial";
import { PageBanner } from "~/components/marketing/page-banner";
import { Prose } from "~/components/marketing/prose";
import { Section } from "~/components/marketing/section";
import { formAction, limitByAddress, page, parseForm } from "~/http/page.server";
import { formatDate } from "~/kernel/dates";
import { sitePaths } from "~/kernel/paths/site";
import { formatCount } from "~/kernel/text";
import { comparePair, namePairSchema } from "~/modules/name-match/name-pair.server";

const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(1)} %`;

/** The benchmark's table, from the file that the benchmark writes: nothing here is typed by hand. */
export function Comparison() {
  return (
    <Section
      id="measured"
      title="Measured beside general libraries"
      intro={`${formatCount(measured.pairs)} pairs of invented names, of which ${formatCount(measured.different)} are different payees. Each library is given the cleaning and the two cut-offs that suit it best on these pairs. Measured on ${formatDate(Date.parse(measured.measuredOn))}.`}
    >
      <div className="overflow-x-auto">
        <table className="w-full min-w-[38rem] text-base">
          <thead>
            <tr className="border-line border-b text-left text-ink-soft text-sm">
              <th scope="col" className="py-2 pr-4 font-medium">
                Library
              </th>
              <th scope="col" className="py-2 pr-4 font-medium">
                Comes from
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-medium">
                Right answer
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-medium">
                Different payees rated Exact
              </th>
              <th scope="col" className="py-2 text-right font-medium">
                Processor time
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {measured.subjects.map((subject) => (
              <tr key={subject.name}>
                <th scope="row" className="py-2 pr-4 text-left font-medium">
                  {subject.name}
                </th>
                <td className="py-2 pr-4 text-ink-soft">{subject.tradition}</td>
                <td className="figures py-2 pr-4 text-right">{percent(subject.right, measured.pairs)}</td>
                <td className="figures py-2 pr-4 text-right">
                  {percent(subject.differentCalledExact, measured.different)}
                </td>
                <td className="figures py-2 text-right">{subject.timesAsLong} ×</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-6 max-w-prose text-ink-soft">
        99 of 100 pairs take less than {measured.slowestPercentMicroseconds} millionths of a second. Of the texts made
        to be slow, the slowest takes {measured.slowestHostile.ms.toFixed(1)} thousandths of a second when it is first
        seen. The reasons are written only when somebody reads them.
      </p>
    </Section>
  );
}

/** The lower figures, for names from people and registers. */
export function Labelled() {
  return (
    <Section
      id="labelled"
      title="Measured on names as people write them"
      intro={`Pairs of names from public registers of Australian companies and political donors, lists of government suppliers, sanctions lists and research on records of people, with hand-written cases. A language model labelled each pair by the guidance that banks publish: nobody who pays invoices has checked the labels. Measured on ${formatDate(Date.parse(labelled.measuredOn))}.`}
    >
      <div className="overflow-x-auto">
        <table className="w-full min-w-[38rem] text-base">
          <thead>
            <tr className="border-line border-b text-left text-ink-soft text-sm">
              <th scope="col" className="py-2 pr-4 font-medium">
                Pairs
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-medium">
                Same answer as the label
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-medium">
                Or another answer that the guidance supports
              </th>
              <th scope="col" className="py-2 text-right font-medium">
                Different payees rated Exact
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {labelled.sets.map((set) => (
              <tr key={set.name}>
                <th scope="row" className="py-2 pr-4 text-left font-medium">
                  {set.name}
                  <span className="block font-normal text-ink-soft text-sm">{set.what}</span>
                </th>
                <td className="figures py-2 pr-4 text-right">{set.rightPercent.toFixed(1)} %</td>
                <td className="figures py-2 pr-4 text-right">{set.withGuidancePercent.toFixed(1)} %</td>
                <td className="figures py-2 text-right">{set.differentCalledExact}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-6 max-w-prose text-ink-soft">
        For your own payees, expect the figure for the names set aside. Most of the other answers concern names that a
        careful person would look at: nothing is paid on a name alone.
      </p>
    </Section>
  );
}

export const { handle, headers, meta } = publicPage({
  path: sitePaths.nameMatching,
  title: "Name matching",
  description:
    "How PayeeProof compares the name on an invoice with the name at the bank, measured beside general libraries, with its limits.",
});

/** The try-it box works as on the features page. */
export const loader = /* @__PURE__ */ page(async ({ url }) => comparePair(exampleOf(url)));

export const action = /* @__PURE__ */ page(async (scope) =>
  formAction(scope, async (form) => {
    const pair = parseForm(form, namePairSchema);
    await limitByAddress(scope, "name-match");
    return json(comparePair(pair));
  }),
);

export default function NameMatching() {
  const trial = useTrial(useLoaderData<typeof loader>());
  return (
    <>
      <PageBanner
        title="How names are compared"
        intro="The method, what we measured, what it cannot do, and a box to try it in."
        entry={LEGAL_FORM_ENTRY}
      />
      <Method />
      <NameTrial trial={trial} path={sitePaths.nameMatching} />
      <Comparison />
      <Labelled />
      <Limits />
    </>
  );
}

/** What the matcher cannot do. */
function Limits() {
  return (
    <Section title="What it cannot do" layout="split">
      <Prose>
        <ul>
          <li>It compares names. Two people with the same name are the same to it.</li>
          <li>An acronym is a close match at most: “BAC” may stand for many names.</li>
          <li>A new name after a marriage or a sale is a different name.</li>
          <li>Names in other scripts are compared by their sounds and are never exact.</li>
          <li>Chinese characters cannot be compared with a romanised name, so a person has to compare them.</li>
          <li>The pairs that compare us with libraries are invented, and easier than names that people write.</li>
          <li>Your payees may be harder or easier to compare than any list.</li>
        </ul>
      </Prose>
    </Section>
  );
}

/** How two names are compared, in the order of the steps. */
function Method() {
  return (
    <Section title="Evidence first, then a score" layout="split">
      <Prose>
        <p>
          A general similarity function counts letters. It finds “Harbour Foods” and “Harbour Funds” nearly equal, and
          “P/L” and “Pty Ltd” very different. For a payment both answers are wrong.
        </p>
        <ol>
          <li>
            Both names are split into words. Capital letters, accents and invisible characters do not count, but they
            are remembered.
          </li>
          <li>
            Each name is taken apart: titles, legal form, trading name, trustee and trust, references such as an ABN.
          </li>
          <li>
            Words are paired. Equal words come first, then words written apart, short forms, nicknames, initials and
            typing errors. Two well-known names that differ are two names, however similar they look.
          </li>
          <li>
            What differs decides the answer: a difference in formatting is exact, something to look at is close, and
            another name, number, place or kind of holder is no match. The score is set within the range of that answer.
          </li>
          <li>
            Each difference is explained in one sentence with the points it costs. The points and the score add up to
            100.
          </li>
        </ol>
      </Prose>
    </Section>
  );
}
