import type { SimulatorContext } from "../party";
import type { Contact, XeroState } from "./state";

const KEPT = 50;

export interface XeroWebhooks {
  /** Tells the app that a contact was made or changed: only which, never what. */
  tell(contact: Contact, eventType: "CREATE" | "UPDATE"): void;
  /** What Xero does before it tells an app of anything: one call with a good signature and three with bad ones. */
  checkIntent(): void;
}

async function signatureOf(key: string, body: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = new TextEncoder();
  const signer = await crypto.subtle.importKey("raw", bytes.encode(key), algorithm, false, ["sign"]);
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", signer, bytes.encode(body)))));
}

/** `x-xero-signature`: base64 HMAC-SHA-256 of the raw body (xero-webhooks.yaml). */
export function createXeroWebhooks(state: XeroState, context: SimulatorContext): XeroWebhooks {
  async function deliver(what: string, events: object[], key: string): Promise<void> {
    const last = state.eventSequence;
    const body = JSON.stringify({
      events,
      firstEventSequence: events.length === 0 ? 0 : last,
      lastEventSequence: last,
      entropy: context.randomId(),
    });
    const headers = { "content-type": "application/json", "x-xero-signature": await signatureOf(key, body) };
    const request = new Request(`${context.appOrigin}/webhooks/xero`, { method: "POST", headers, body });
    const status = await context.callApp(request).then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      () => 0,
    );
    state.deliveries.unshift({ at: context.now(), what, status });
    state.deliveries.splice(KEPT);
    context.save();
  }

  const { xeroWebhookKey: key } = context.secrets;
  return {
    tell(contact, eventType) {
      state.eventSequence += 1;
      const event = {
        resourceUrl: `${context.publicOrigin}/xero/api/api.xro/2.0/Contacts/${contact.contactId}`,
        resourceId: contact.contactId,
        tenantId: contact.tenantId,
        tenantType: "ORGANISATION",
        eventCategory: "CONTACT",
        eventType,
        eventDateUtc: new Date(context.now()).toISOString().slice(0, -1),
      };
      context.background(deliver(`${eventType} ${contact.name}`, [event], key));
    },
    checkIntent() {
      context.background(deliver("intent to receive, good signature", [], key));
      for (let nth = 1; nth <= 3; nth++) {
        context.background(deliver(`intent to receive, bad signature ${nth}`, [], `${key}-not-${nth}`));
      }
    },
  };
}
