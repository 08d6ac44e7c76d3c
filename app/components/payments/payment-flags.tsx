import { Callout, type CalloutTone } from "~/components/ui/callout";
import { CONTACT_AND_BANK_WINDOW_DAYS } from "~/kernel/payee";
import type { PaymentFlag } from "~/modules/payments/payment-flags";

const FLAGS: Record<PaymentFlag, { tone: CalloutTone; title: string; text: string }> = {
  account_changed: {
    tone: "danger",
    title: "The payee has another account now",
    text: "This payment still goes to the account it was recorded with, which the payee no longer has. If the new account is right, stop this payment and record it again.",
  },
  disputed: {
    tone: "danger",
    title: "The payee says these are not its details",
    text: "Call the payee on a number you already know, not one from a recent email or invoice, before any money leaves.",
  },
  details_changed: {
    tone: "warning",
    title: "The payee's bank details have changed and are not verified yet",
    text: "Ask who asked for the change, and confirm it on a number you already know.",
  },
  former_account: {
    tone: "danger",
    title: "The payee's account was another payee's before",
    text: "No one has approved it knowing that. Ask why the account is the same, on a contact you already had, before any money leaves.",
  },
  renamed: {
    tone: "warning",
    title: "The payee was given another name and is not verified under it yet",
    text: "Its bank details were confirmed for the name it had before. Ask who wanted the new one, and confirm whose account it is.",
  },
  contact_and_bank_changed: {
    tone: "danger",
    title: "The payee's contact and bank details changed close together",
    text: `Email or phone and the bank details were changed within ${CONTACT_AND_BANK_WINDOW_DAYS} days of each other. A fraudster who changed both would answer your call: use a number from before the change.`,
  },
};

const STOP = " This payment is authorised: to stop it, mark it failed and say why.";

/** What has come up about the payee since the rules ran. */
export function PaymentFlags({ flags, isAuthorised }: { flags: readonly PaymentFlag[]; isAuthorised: boolean }) {
  if (flags.length === 0) return null;
  return (
    <div className="mb-6 grid gap-3">
      {flags.map((flag, index) => (
        <Callout key={flag} tone={FLAGS[flag].tone} title={FLAGS[flag].title}>
          {FLAGS[flag].text}
          {isAuthorised && index === 0 && STOP}
        </Callout>
      ))}
    </div>
  );
}
