import type { SimulatorContext } from "../party";
import { hmacSha256, tellApp } from "../tell-app";
import type { Bill } from "./books";
import type { Contact, XeroState } from "./state";

const KEPT = 50;

export interface XeroWebhooks {
  /** Tells the app that a contact was made or changed: only which one, never what changed. */
  tell(contact: Contact, eventType: "CREATE" | "UPDATE"): void;
  /** Tells the app that a bill was made or changed. */
  tellBill(bill: Bill, eventType: "CREATE" | "UPDATE"): void;
  /** What Xero does before it tells an app of anything: one call with a good signature and three with bad ones. */
  checkIntent(): void;
}

/** Xero accepts no answer that has a body or sets a cookie. */
const isBare = ({ headers }: Response, body: string) => body === "" && !headers.has("set-cookie");

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
    const signature = btoa(String.fromCharCode(...(await hmacSha256(key, body))));
    const status = await tellApp(context, "xero", body, { "x-xero-signature": signature }, isBare);
    state.deliveries.unshift({ at: context.now(), what, status });
    state.deliveries.splice(KEPT);
    context.save();
  }

  const { xeroWebhookKey: key } = context.secrets;
  function tell(what: {
    list: "Contacts" | "Invoices";
    id: string;
    tenantId: string;
    eventCategory: "CONTACT" | "INVOICE";
    eventType: "CREATE" | "UPDATE";
    name: string;
  }): void {
    state.eventSequence += 1;
    const { list, id, tenantId, eventCategory, eventType, name } = what;
    const event = {
      resourceUrl: `${context.publicOrigin}/xero/api/api.xro/2.0/${list}/${id}`,
      resourceId: id,
      tenantId,
      tenantType: "ORGANISATION",
      eventCategory,
      eventType,
      eventDateUtc: new Date(context.now()).toISOString().slice(0, -1),
    };
    context.background(deliver(`${eventType} ${name}`, [event], key));
  }

  return {
    tell({ contactId: id, tenantId, name }, eventType) {
      tell({ list: "Contacts", id, tenantId, eventCategory: "CONTACT", eventType, name });
    },
    tellBill({ invoiceId: id, tenantId, number }, eventType) {
      tell({ list: "Invoices", id, tenantId, eventCategory: "INVOICE", eventType, name: `bill ${number}` });
    },
    checkIntent() {
      context.background(deliver("intent to receive, good signature", [], key));
      for (let nth = 1; nth <= 3; nth++) {
        context.background(deliver(`intent to receive, bad signature ${nth}`, [], `${key}-not-${nth}`));
      }
    },
  };
}
