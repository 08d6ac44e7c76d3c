import { html, type Markup } from "../html";
import type { SimulatedCall } from "../party";
import type { TypedCard } from "./test-cards";
import { TEST_CARDS } from "./test-cards";

/** What the hosted pages share. */

export const dollars = (cents: number) => `A$${(cents / 100).toFixed(2)}`;
export const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

export const formOf = (call: SimulatedCall) => new URLSearchParams(call.body);

/** The card fields of a form on a hosted page. */
export function cardIn(form: URLSearchParams): TypedCard {
  const [month, year] = (form.get("expiry") ?? "").split("/").map((part) => Number(part.trim()));
  return { number: form.get("number") ?? "", expMonth: month ?? 0, expYear: year ?? 0, cvc: form.get("cvc") ?? "" };
}

export const cardFields: Markup = html`<fieldset><legend>Card</legend>
<label>Card number <input name="number" value="4242 4242 4242 4242" autocomplete="off" inputmode="numeric" required></label>
<label>Expiry <input name="expiry" value="12/34" size="6" autocomplete="off" required></label>
<label>Security code <input name="cvc" value="314" size="4" autocomplete="off" inputmode="numeric" required></label>
</fieldset>
<details><summary>Other test cards</summary><ul>${TEST_CARDS.map(({ number, text }) => html`<li><code>${number}</code> ${text}</li>`)}</ul></details>`;

export const problemBox = (problem: string | undefined) =>
  problem ? html`<p role="alert"><strong>${problem}</strong></p>` : undefined;
