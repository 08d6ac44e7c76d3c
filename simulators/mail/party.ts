import { html, page } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";
import { mailError, receiveMail } from "./api";
import { createMailbox } from "./mailbox";
import { mailboxPage, mailPage } from "./pages";
import { isReport, reportOf, sendReport } from "./reports";

/** How long after an email its report comes. */
const REPORT_DELAY_MS = 1_000;

/** A mail provider in the shape of Resend, and the mailbox of everyone it sends to. */
export function mailParty(context: SimulatorContext): Party {
  const mailbox = createMailbox(context);
  const notFound = () => page("No such email", html`<p><a href="/mail">Back to the mailbox</a></p>`, 404);
  const routes = [
    route("POST", "/emails", (call) =>
      receiveMail(mailbox, call, (mail) => {
        const report = reportOf(mail.to);
        if (report) context.timers.after(REPORT_DELAY_MS, () => sendReport(context, mail, report));
      }),
    ),
    route("GET", "", () => mailboxPage(mailbox)),
    route("GET", "/messages", () => Response.json(mailbox.list())),
    route("GET", "/:id", (_, { id = "" }) => {
      const mail = mailbox.find(id);
      return mail ? mailPage(mail) : notFound();
    }),
    route("POST", "/:id/:report", (_, { id = "", report = "" }) => {
      const mail = mailbox.find(id);
      if (!mail || !isReport(report)) return notFound();
      sendReport(context, mail, report);
      return page(
        "Reported",
        html`<p>The app is told: ${report}. <a href="/mail/${mail.id}">Back to the email</a></p>`,
      );
    }),
  ];
  return {
    name: "mail",
    links: [
      { href: "/mail", text: "Mailbox" },
      { href: "/mail/messages", text: "The same as JSON" },
    ],
    isAppCall: ({ path }) => path === "/emails",
    app: createRoutes(routes, () => mailError(404, "Not found", "not_found")),
    errorAnswer: (status) => mailError(status, "Simulated fault"),
    summarise: ({ body }) => envelope(body),
  };
}

/** A mail's text carries one-time links: the ledger keeps who it went to and what about. */
function envelope(body: SimulatedCall["body"]): string {
  try {
    const { to, subject } = JSON.parse(body) as { to?: unknown; subject?: unknown };
    return JSON.stringify({ to, subject });
  } catch {
    return "(not JSON)";
  }
}
