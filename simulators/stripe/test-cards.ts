import { Refusal } from "./errors";

/** How a test card ends (docs.stripe.com/testing). "always" asks its bank every time, "once" only when it is first used. */
export type Behaviour = "success" | "authenticate_once" | "authenticate_always" | "fails_later" | Decline;
type Decline = keyof typeof DECLINES;

export const DECLINES = {
  generic_decline: { code: "card_declined", message: "Your card was declined." },
  insufficient_funds: { code: "card_declined", message: "Your card has insufficient funds." },
  lost_card: { code: "card_declined", message: "Your card was declined." },
  stolen_card: { code: "card_declined", message: "Your card was declined." },
  expired_card: { code: "expired_card", message: "Your card has expired." },
  incorrect_cvc: { code: "incorrect_cvc", message: "Your card's security code is incorrect." },
  processing_error: {
    code: "processing_error",
    message: "An error occurred while processing your card. Try again in a little bit.",
  },
  authentication_required: {
    code: "authentication_required",
    message: "Your card was declined. This transaction requires authentication.",
  },
} as const;

const CARDS: Record<string, Behaviour> = {
  "4242424242424242": "success",
  "5555555555554444": "success",
  "4000000360000006": "success",
  "4000056655665556": "success",
  "378282246310005": "success",
  "6011111111111117": "success",
  "3056930009020004": "success",
  "3566002020360505": "success",
  "6200000000000005": "success",
  "4000000000000341": "fails_later",
  "4000002500003155": "authenticate_once",
  "4000002760003184": "authenticate_always",
  "4000000000003220": "authenticate_always",
  "4000000000000002": "generic_decline",
  "4000000000009995": "insufficient_funds",
  "4000000000009987": "lost_card",
  "4000000000009979": "stolen_card",
  "4000000000000069": "expired_card",
  "4000000000000127": "incorrect_cvc",
  "4000000000000119": "processing_error",
};

const BRANDS = [
  ["5", "mastercard"],
  ["37", "amex"],
  ["6011", "discover"],
  ["30", "diners"],
  ["35", "jcb"],
  ["62", "unionpay"],
] as const;

/** Ready-made payment methods that scripts may name (docs.stripe.com/testing). */
export const READY_MADE: Record<string, string> = {
  pm_card_visa: "4242424242424242",
  pm_card_mastercard: "5555555555554444",
  pm_card_au: "4000000360000006",
  pm_card_visa_debit: "4000056655665556",
  pm_card_amex: "378282246310005",
  pm_card_discover: "6011111111111117",
  pm_card_diners: "3056930009020004",
  pm_card_jcb: "3566002020360505",
  pm_card_unionpay: "6200000000000005",
  pm_card_chargeCustomerFail: "4000000000000341",
  pm_card_authenticationRequired: "4000002760003184",
  pm_card_authenticationRequiredOnSetup: "4000002500003155",
  pm_card_threeDSecure2Required: "4000000000003220",
  pm_card_chargeDeclined: "4000000000000002",
  pm_card_visa_chargeDeclined: "4000000000000002",
  pm_card_chargeDeclinedInsufficientFunds: "4000000000009995",
  pm_card_visa_chargeDeclinedInsufficientFunds: "4000000000009995",
  pm_card_visa_chargeDeclinedLostCard: "4000000000009987",
  pm_card_visa_chargeDeclinedStolenCard: "4000000000009979",
  pm_card_chargeDeclinedExpiredCard: "4000000000000069",
  pm_card_chargeDeclinedIncorrectCvc: "4000000000000127",
  pm_card_chargeDeclinedProcessingError: "4000000000000119",
};

export const TEST_CARDS: readonly { number: string; text: string }[] = [
  { number: "4242 4242 4242 4242", text: "succeeds" },
  { number: "4000 0025 0000 3155", text: "asks its bank (3-D Secure) once, then succeeds" },
  { number: "4000 0027 6000 3184", text: "asks its bank every time, so that renewals fail" },
  { number: "4000 0000 0000 0341", text: "can be saved, but fails when it is charged" },
  { number: "4000 0000 0000 0002", text: "is declined" },
  { number: "4000 0000 0000 9995", text: "is declined for insufficient funds" },
];

export type TypedCard = { number: string; expMonth: number; expYear: number; cvc: string };

const cardError = (code: string, message: string) => new Refusal(402, "card_error", message, { code });

/** Checks a typed card as the provider does before any bank is asked. @throws Refusal card_error */
export function readCard({ number, expMonth, expYear, cvc }: TypedCard, nowSeconds: number) {
  const digits = number.replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits)) {
    throw cardError("incorrect_number", "Your card number is incorrect.");
  }
  if (!(expMonth >= 1 && expMonth <= 12)) {
    throw cardError("invalid_expiry_month", "Your card's expiration month is invalid.");
  }
  const year = expYear < 100 ? 2000 + expYear : expYear;
  if (!(Date.UTC(year, expMonth, 1) / 1000 > nowSeconds)) {
    throw cardError("invalid_expiry_year", "Your card's expiration year is in the past.");
  }
  if (!/^\d{3,4}$/.test(cvc)) throw cardError("invalid_cvc", "Your card's security code is invalid.");
  const behaviour = CARDS[digits];
  if (!behaviour) {
    throw cardError(
      "card_declined",
      "Your card was declined. Your request was in test mode, but used a non test card.",
    );
  }
  return {
    behaviour,
    card: {
      brand: BRANDS.find(([beginning]) => digits.startsWith(beginning))?.[1] ?? "visa",
      last4: digits.slice(-4),
      exp_month: expMonth,
      exp_year: year,
      country: "AU",
      funding: digits === "4000056655665556" ? ("debit" as const) : ("credit" as const),
    },
  };
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [i, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (i % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
