import { Callout, type CalloutTone } from "~/components/ui/callout";
import { Link } from "~/components/ui/link";
import { CONTACT_AND_BANK_WINDOW_DAYS } from "~/kernel/payee";
import type { PayeeView } from "~/modules/payees/payee.view";

const FLAGS: Record<PayeeView["flags"][number], { tone: CalloutTone; title: string; text: string }> = {
  disputed: {
    tone: "danger",
    title: "The payee says these are not its details",
    text: "Payments are held until a person decides. Call the payee on a number you already know, not one from a recent email or invoice.",
  },
  details_changed: {
    tone: "warning",
    title: "The bank details have changed and are not verified yet",
    text: "Payments are held until the new details are verified. Ask who asked for the change, and confirm it on a number you already know.",
  },
  former_account: {
    tone: "danger",
    title: "Another payee's former account",
    text: "Compare it with that payee, and ask why the account is the same, on a contact you already had.",
  },
  renamed: {
    tone: "warning",
    title: "The payee was given another name and is not verified under it yet",
    text: "Payments are held until a person decides. Its bank details were confirmed for the name it had before: ask who wanted the new one, and confirm whose account it is.",
  },
  contact_and_bank_changed: {
    tone: "danger",
    title: "Contact and bank details changed close together",
    text: `Email or phone and the bank details were changed within ${CONTACT_AND_BANK_WINDOW_DAYS} days of each other. A fraudster who changed both would answer your call: use a number from before the change.`,
  },
};

/** What a person should know before trusting or paying this payee. */
export function PayeeFlags({ flags, formerHolders }: Pick<PayeeView, "flags" | "formerHolders">) {
  if (flags.length === 0) return null;
  return (
    <div className="mb-6 grid gap-3">
      {flags.map((flag) => (
        <Callout key={flag} tone={FLAGS[flag].tone} title={FLAGS[flag].title}>
          {flag === "former_account" && <FormerHolders holders={formerHolders} />}
          {FLAGS[flag].text}
        </Callout>
      ))}
    </div>
  );
}

/** Whose account it was, each with the way to that payee. */
export function FormerHolders({ holders }: { holders: PayeeView["formerHolders"] }) {
  return holders.map(({ sentence, name, href }) => (
    <p key={href + sentence} className="break-words">
      {sentence}{" "}
      <Link to={href} className="font-medium text-accent-text underline underline-offset-2">
        Look at {name}
      </Link>
    </p>
  ));
}
