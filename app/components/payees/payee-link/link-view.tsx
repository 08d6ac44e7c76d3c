import { BankUnavailable, ContinueToBank } from "~/components/payees/payee-link/continue-to-bank";
import { LinkMessage } from "~/components/payees/payee-link/link-message";
import { OpenLink } from "~/components/payees/payee-link/open-link";
import { Callout } from "~/components/ui/callout";
import { type FormAnswer, sentencesOf } from "~/kernel/form-answer";
import { type PayeeLinkView, payeeLinkWords, type Visit } from "~/modules/payees/payee-links/payee-link";

/** The title of the browser's window. */
export const linkTitle = (view: PayeeLinkView, visit: Visit): string =>
  view.state === "open" ? "Confirm your bank details" : payeeLinkWords(view, visit).title;

const LOOKS = {
  confirmed: { tone: "verified", icon: "checkCircle" },
  disputed: { tone: "info", icon: "flag" },
  expired: { tone: "pending", icon: "clock" },
  failed: { tone: "review", icon: "xCircle" },
} as const;

/** Draws any state of a payee's link. */
export function PayeeLink({ view, visit, answer }: { view: PayeeLinkView; visit: Visit; answer?: FormAnswer }) {
  if (view.state === "open") return <OpenLink {...view} {...view.details} answer={answer} />;
  const { title, sentences } = payeeLinkWords(view, visit);
  const { tone, icon } = LOOKS[view.state];
  const leadsToBank = view.state === "confirmed" && view.leadsToBank;
  return (
    <LinkMessage
      tone={view.state === "confirmed" && !visit.isFresh ? "info" : tone}
      icon={icon}
      title={title}
      action={leadsToBank && <ContinueToBank field="response" />}
    >
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {answer && (
        <Callout tone="danger" role="alert" title={answer.title}>
          {sentencesOf(answer).join(" ")}
        </Callout>
      )}
      {visit.bankUnavailable && <BankUnavailable kept="Your answer is kept." />}
    </LinkMessage>
  );
}
