import { displayName } from "~/kernel/actor";
import type { NotificationChannel } from "~/kernel/enums";
import { formatPhone } from "~/kernel/phone";
import { payeeConstraints } from "~/modules/payees/payee-form.server";
import type { Services } from "~/services";
import { closedWords, type RequestState, requestState } from "./payee-request";
import { type FoundRequest, getRequestByToken, leadsToBank } from "./payee-request.server";

/** What the payee's page draws. */
export type RequestPage =
  | ({ state: "open"; organizationName: string } & ReturnType<typeof openForm>)
  | {
      state: "closed";
      /** Null: the link is none of ours. */
      organizationName: string | null;
      title: string;
      sentences: string[];
      leadsToBank: boolean;
    };

const STATUSES: Readonly<Record<RequestState, number>> = { open: 200, answered: 200, cancelled: 410, expired: 410 };

/**
 * What a link shows, and with which HTTP status. Looking changes nothing: mail scanners look too.
 * @param visit.isFresh the answer was given just now
 * @throws AppError 404
 */
export async function showRequest(
  services: Pick<Services, "db" | "secrets" | "clock">,
  token: string,
  { isFresh }: { isFresh: boolean },
): Promise<{ status: number; view: RequestPage }> {
  const request = await getRequestByToken(services, token);
  const { organizationName } = request;
  const state = requestState(request, services.clock.now());
  const status = STATUSES[state];
  if (state === "open") return { status, view: { state, organizationName, ...openForm(request) } };
  const goesOn = await leadsToBank(services, request);
  const words = closedWords(state, { organizationName, isFresh, leadsToBank: goesOn });
  return { status, view: { state: "closed", organizationName, ...words, leadsToBank: goesOn } };
}

function openForm({ name, email, phone, channel, note, asker }: FoundRequest) {
  const contact: { channel: NotificationChannel; shown: string } = {
    channel,
    shown: channel === "email" ? (email ?? "") : formatPhone(phone ?? ""),
  };
  return {
    askedBy: displayName(asker),
    note,
    contact,
    constraints: payeeConstraints,
    values: { name, accountName: "", bsb: "", accountNumber: "", abn: "", email: "", phone: "" },
  };
}
