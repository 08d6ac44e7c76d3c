import { Section } from "~/components/marketing/section";
import { formatDate } from "~/kernel/dates";
import measured from "./measured.json";

const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(1)} %`;

/** The table of the benchmark, from the file the benchmark writes: nothing here is typed by hand. */
export function Comparison() {
  return (
    <Section
      id="measured"
      title="Measured beside general libraries"
      intro={`${measured.pairs.toLocaleString("en-AU")} pairs of invented names, of which ${measured.different.toLocaleString("en-AU")} are different payees. Every library has the cleaning and the two cut-offs that suit it best on these very pairs. Measured on ${formatDate(Date.parse(measured.measuredOn))}.`}
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
                Different payees called exact
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
        to take long, the slowest takes {measured.slowestHostile.ms.toFixed(1)} thousandths, the first time one is seen.
        The reasons are written when they are read.
      </p>
    </Section>
  );
}
