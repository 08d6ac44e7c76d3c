/** A function of the simulated provider's address. */
const STRIPE_SCRIPT = `(BASE) => {
  const ORIGIN = new URL(BASE).origin;
  let asked = 0;

  function ask(frame, message) {
    const id = ++asked;
    return new Promise((resolve) => {
      const hear = (event) => {
        if (event.origin !== ORIGIN || event.source !== frame.contentWindow || event.data?.id !== id) return;
        window.removeEventListener("message", hear);
        resolve(event.data.result);
      };
      window.addEventListener("message", hear);
      frame.contentWindow.postMessage({ ...message, id }, ORIGIN);
    });
  }

  function createElement(clientSecret, key) {
    const listeners = {};
    const tell = (name) => (listeners[name] || []).forEach((listener) => listener({ elementType: "payment" }));
    const frame = document.createElement("iframe");
    frame.title = "Secure card payment input frame";
    frame.src = BASE + "/element?client_secret=" + encodeURIComponent(clientSecret) + "&key=" + encodeURIComponent(key);
    frame.width = "100%";
    frame.height = "220";
    frame.addEventListener("load", () => tell("ready"));
    return {
      frame,
      on(name, listener) { (listeners[name] ||= []).push(listener); return this; },
      mount(place) { (typeof place === "string" ? document.querySelector(place) : place).append(frame); },
      unmount() { frame.remove(); },
      destroy() { frame.remove(); },
    };
  }

  function Stripe(key) {
    return {
      elements({ clientSecret }) {
        let element;
        return {
          clientSecret,
          create(type) {
            if (type !== "payment") throw new Error("Only the payment element is simulated");
            element = createElement(clientSecret, key);
            return element;
          },
          getElement: () => element || null,
          submit: async () => ({}),
        };
      },
      async confirmPayment({ elements, confirmParams }) {
        const result = await ask(elements.getElement().frame, { type: "confirm", returnUrl: confirmParams.return_url });
        if (result.error) return { error: result.error };
        location.assign(result.goTo);
        return new Promise(() => {});
      },
      async retrievePaymentIntent(clientSecret) {
        const id = clientSecret.split("_secret_")[0];
        const address = BASE + "/v1/payment_intents/" + id + "?client_secret=" + encodeURIComponent(clientSecret);
        const answer = await (await fetch(address, { headers: { authorization: "Bearer " + key } })).json();
        return answer.error ? { error: answer.error } : { paymentIntent: answer };
      },
    };
  }
  Stripe.version = "endive";
  window.Stripe = Stripe;
}`;

/**
 * Replaces the provider's browser script, which can only call the provider: it has the same calls (`elements`,
 * `create("payment")`, `mount`, `confirmPayment`, `retrievePaymentIntent`), and the card is typed into a frame of
 * another origin, so that the page around it never sees a number.
 */
export function browserScript(base: string): Response {
  return new Response(`(${STRIPE_SCRIPT})(${JSON.stringify(base)});\n`, {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-store",
      "cross-origin-resource-policy": "cross-origin",
    },
  });
}

const ELEMENT_SCRIPT = `
const query = new URLSearchParams(location.search);
const secret = query.get("client_secret");
const id = secret.split("_secret_")[0];
const form = document.querySelector("form");

function back(url, intent) {
  const to = new URL(url);
  to.searchParams.set("payment_intent", intent.id);
  to.searchParams.set("payment_intent_client_secret", secret);
  to.searchParams.set("redirect_status", intent.status === "succeeded" ? "succeeded" : "failed");
  return to.toString();
}

async function confirm(returnUrl) {
  const data = new FormData(form);
  if (!String(data.get("number")).trim()) {
    return { error: { type: "validation_error", code: "incomplete_number", message: "Your card number is incomplete." } };
  }
  const [month, year] = String(data.get("expiry")).split("/");
  const body = new URLSearchParams({
    client_secret: secret,
    return_url: returnUrl,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": data.get("number"),
    "payment_method_data[card][exp_month]": String(month).trim(),
    "payment_method_data[card][exp_year]": String(year).trim(),
    "payment_method_data[card][cvc]": data.get("cvc"),
  });
  const answer = await fetch(BASE + "/v1/payment_intents/" + id + "/confirm", {
    method: "POST",
    headers: { authorization: "Bearer " + query.get("key") },
    body,
  });
  const result = await answer.json();
  if (result.error) return { error: result.error };
  return { goTo: result.next_action ? result.next_action.redirect_to_url.url : back(returnUrl, result) };
}

addEventListener("message", async (event) => {
  if (event.source !== parent || event.data?.type !== "confirm") return;
  let result;
  try {
    result = await confirm(event.data.returnUrl);
  } catch {
    result = { error: { type: "api_connection_error", message: "We are experiencing issues connecting to our payments provider." } };
  }
  parent.postMessage({ id: event.data.id, result }, event.origin);
});
form.addEventListener("submit", (event) => event.preventDefault());
`;

const elementDocument = (base: string) => `<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><title>Card</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2px; color: light-dark(#1d2430, #e8eaf0); background: transparent; }
label { display: block; margin: 0 0 12px; }
.row { display: flex; gap: 12px; } .row label { flex: 1; min-width: 0; }
input { box-sizing: border-box; display: block; width: 100%; margin-top: 4px; padding: 10px 12px; font: inherit; border: 1px solid #8a90a0; border-radius: 8px; color: inherit; background: light-dark(#fff, #1a2030); }
p { margin: 0; font-size: 13px; color: light-dark(#4c5566, #b4bac8); }
</style></head>
<body><form>
<label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"></label>
<div class="row"><label>Expiry date <input name="expiry" autocomplete="cc-exp" placeholder="MM / YY"></label>
<label>Security code <input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC"></label></div>
<p>Simulated. Try 4242 4242 4242 4242, any later date, any code.</p>
</form><script>const BASE = ${JSON.stringify(base)};${ELEMENT_SCRIPT}</script></body></html>
`;

/** The frame in which the card is typed. It alone talks to the provider. */
export function elementFrame(base: string): Response {
  return new Response(elementDocument(base), {
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}
