import type { ReactNode } from "react";
import { DocumentPage } from "~/components/marketing/document-page";
import { publicPage } from "~/components/marketing/meta";
import { sitePaths } from "~/kernel/paths/site";

/** Two sheets to print: what to do when bank details change, and what to say on the phone. */

const CHECKS: readonly { when: string; items: readonly string[] }[] = [
  {
    when: "Before you answer",
    items: [
      "Do not reply to the email, and do not use a link or phone number in it.",
      "Compare the sender's address letter by letter with an earlier genuine email.",
      "Look for pressure: urgent, confidential, “our auditor”, “please do not call”.",
      "Find a phone number in your own records, an older contract or the supplier's website typed by hand.",
    ],
  },
  {
    when: "On the phone",
    items: [
      "Call that number and use the script below.",
      "Let them read the new details to you. Do not read them out yourself.",
      "Write down who you spoke to, when, and where you found the phone number.",
    ],
  },
  {
    when: "Before the first payment",
    items: [
      "Compare the account name with the legal name and the ABN on the register.",
      "Have the change reviewed by a second person who did not enter it.",
      "Tell the supplier's previous email address that the details were changed.",
      "Pay a first, smaller amount and have the supplier confirm that it arrived.",
      "Keep the request, the call note and the approval together.",
    ],
  },
  {
    when: "If you have already paid",
    items: [
      "Call your bank now and ask for a recall. Act within minutes if you can.",
      "Report it at cyber.gov.au/report and scamwatch.gov.au.",
      "Call the supplier: a criminal may be reading their emails, or yours.",
    ],
  },
];

function Checklist() {
  return (
    <>
      <p>Use one sheet for each change. Print it, complete it and file it with the change.</p>
      {CHECKS.map((part) => (
        <div key={part.when} className="break-inside-avoid">
          <h3>{part.when}</h3>
          <ul className="list-none! pl-0!">
            {part.items.map((item) => (
              <li key={item} className="flex gap-3 pl-0!">
                <span aria-hidden="true" className="mt-1 size-4 shrink-0 rounded-[3px] border border-control" />
                {item}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Lines labels={["Supplier", "Checked by", "Second person", "Date"]} />
    </>
  );
}

function CallBackScript() {
  return (
    <>
      <p>For the person who makes the call. Let the supplier say the numbers.</p>
      <ol>
        <Said note="You called a number you already had. Say who you are, and that you are calling about a payment.">
          Good morning, this is ... from ... . May I speak to the person who looks after your invoices?
        </Said>
        <Said note="Ask an open question. Anyone can answer yes or no.">
          Have your bank details changed since our last payment?
        </Said>
        <Said note="If yes: let them read. Write it down and compare it with the request only after the call.">
          Please read me the BSB and the account number that we should use, and the name on the account.
        </Said>
        <Said note="Ask for something in your own records that is not in the email.">
          So that I know that I have the right supplier: which account did we pay last time, its last three digits, and
          roughly how much?
        </Said>
        <Said note="If they did not ask for a change, stop, hold all payments, and tell them that their email may be compromised.">
          Did you or a colleague send us an email about this? When, and from which address?
        </Said>
        <Said note="This gives them a chance to notice a change they did not make.">
          Thank you. You will get a confirmation at the address we have always used. If anything in it is wrong please
          call me.
        </Said>
      </ol>
      <Lines labels={["Number called", "Where it came from", "Spoke to", "Date and time"]} />
    </>
  );
}

function Said({ note, children }: { note: string; children: ReactNode }) {
  return (
    <li className="break-inside-avoid">
      <p className="font-medium">&ldquo;{children}&rdquo;</p>
      <p className="mt-0.5! text-base text-ink-soft">{note}</p>
    </li>
  );
}

function Lines({ labels }: { labels: readonly string[] }) {
  return (
    <ul className="mt-8! grid list-none! gap-x-8 gap-y-6 pl-0! sm:grid-cols-2 print:grid-cols-2">
      {labels.map((label) => (
        <li key={label} className="mt-0! border-control border-b pb-6 pl-0! text-ink-soft text-sm">
          {label}
        </li>
      ))}
    </ul>
  );
}

export const { handle, headers, meta } = publicPage({
  path: sitePaths.resources,
  title: "Resources",
  description: "A checklist for changed bank details and a call-back script, free to print and share.",
});

export default function Resources() {
  return (
    <DocumentPage
      banner={{
        title: "Resources",
        intro:
          "A checklist for changed bank details and a call-back script. You may print, copy and change them. You do not need PayeeProof to use them.",
        note: "When you print this page, each sheet starts on a new page.",
      }}
      sheets
      sections={[
        { id: "checklist", title: "Checklist: a payee's bank details change", body: <Checklist /> },
        { id: "script", title: "Call-back script", body: <CallBackScript /> },
      ]}
    />
  );
}
