import { findLinks } from "../links";
import type { SimulatorContext } from "../party";

export type Mail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Those that the app added. */
  headers: Record<string, string>;
  /** Every address that the mail links to, in order, each once. */
  links: string[];
  /** Epoch milliseconds. */
  receivedAt: number;
};

type Remembered = { mailId: string; body: string; at: number };
type MailState = { mails: Mail[]; keys: Record<string, Remembered> };

/** How long the provider remembers a key (resend.com/docs). */
const KEY_MEMORY_MS = 24 * 60 * 60 * 1000;
const KEPT_MAILS = 2_000;

export interface Mailbox {
  /** Newest first. */
  list(): Mail[];
  find(id: string): Mail | undefined;
  receive(mail: Omit<Mail, "id" | "links" | "receivedAt">): Mail;
  recall(key: string): Remembered | undefined;
  remember(key: string, mailId: string, body: string): void;
}

export function createMailbox(context: Pick<SimulatorContext, "slice" | "save" | "now" | "randomId">): Mailbox {
  const state = context.slice<MailState>("mail", () => ({ mails: [], keys: {} }));
  return {
    list: () => [...state.mails].reverse(),
    find: (id) => state.mails.find((mail) => mail.id === id),
    receive(mail) {
      const received = {
        id: context.randomId(),
        ...mail,
        links: findLinks(mail.html, mail.text),
        receivedAt: context.now(),
      };
      state.mails.push(received);
      if (state.mails.length > KEPT_MAILS) state.mails.splice(0, state.mails.length - KEPT_MAILS);
      context.save();
      return received;
    },
    recall(key) {
      for (const [known, { at }] of Object.entries(state.keys)) {
        if (context.now() - at > KEY_MEMORY_MS) delete state.keys[known];
      }
      return Object.hasOwn(state.keys, key) ? state.keys[key] : undefined;
    },
    remember(key, mailId, body) {
      state.keys[key] = { mailId, body, at: context.now() };
      context.save();
    },
  };
}
