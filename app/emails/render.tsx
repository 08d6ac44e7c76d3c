import { renderToStaticMarkup } from "react-dom/server";
import type { EmailContent } from "./content";

const INK = "#16202e";
const PAPER = "#ffffff";
const QUIET = "#5b6675";
const LINE = "#dfe3e8";
const ACCENT = "#1f4fd8";
const FONT = "-apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif";

/** Renders an email as HTML (tables and inline styles, which all email programs understand) and as plain text. */
export function renderEmail(content: EmailContent): { subject: string; html: string; text: string } {
  const html = `<!doctype html>${renderToStaticMarkup(<EmailDocument {...content} />)}`;
  return { subject: content.subject, html, text: renderText(content) };
}

function renderText(content: EmailContent): string {
  const { heading, paragraphs, facts = [], links = [], after, action, reason, stop } = content;
  const blocks = [
    heading,
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map((fact) => `${fact.label}: ${fact.value}`).join("\n")] : []),
    ...links.map(({ label, note, href }) => `${label}\n${note}\n${href}`),
    ...(after ? [after] : []),
    ...(action ? [`${action.label}:\n${action.href}`] : []),
    `--\n${reason}`,
    ...(stop ? [`${stop.label}:\n${stop.href}`] : []),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function EmailDocument(content: EmailContent) {
  const { subject, preview } = content;
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{subject}</title>
      </head>
      <body style={{ margin: 0, padding: 24, backgroundColor: "#f5f6f8", color: INK, fontFamily: FONT }}>
        <div style={{ display: "none", maxHeight: 0, overflow: "hidden" }}>{preview}</div>
        <table role="presentation" width="100%" style={{ maxWidth: 560, margin: "0 auto" }}>
          <tbody>
            <tr>
              <td style={{ padding: 32, backgroundColor: PAPER, border: `1px solid ${LINE}`, borderRadius: 8 }}>
                <Message {...content} />
              </td>
            </tr>
            <tr>
              <td style={{ padding: "16px 8px", color: QUIET, fontSize: 13, lineHeight: 1.5 }}>
                <WhyReceived {...content} />
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

/** What the email says, down to its button. */
function Message({ heading, paragraphs, facts = [], links = [], after, action }: EmailContent) {
  return (
    <>
      <h1 style={{ margin: "0 0 16px", fontSize: 20, lineHeight: 1.3 }}>{heading}</h1>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} style={{ margin: "0 0 16px", fontSize: 16, lineHeight: 1.5 }}>
          {paragraph}
        </p>
      ))}
      {facts.map((fact) => (
        <p key={fact.label} style={{ margin: "0 0 8px", fontSize: 16 }}>
          <span style={{ color: QUIET }}>{fact.label}:</span> {fact.value}
        </p>
      ))}
      {links.map((link) => (
        <p key={link.href + link.label} style={{ margin: "0 0 16px", fontSize: 16, lineHeight: 1.5 }}>
          <a href={link.href} style={{ color: ACCENT, fontWeight: 600 }}>
            {link.label}
          </a>
          <br />
          {link.note}
        </p>
      ))}
      {after && <p style={{ margin: "0 0 16px", fontSize: 16 }}>{after}</p>}
      {action && (
        <p style={{ margin: "24px 0 0" }}>
          <ActionButton {...action} />
        </p>
      )}
    </>
  );
}

/** Why the email came, and how to stop such emails where that is possible. */
function WhyReceived({ reason, stop }: EmailContent) {
  return (
    <>
      {reason}
      {stop && (
        <>
          {" "}
          <a href={stop.href} style={{ color: QUIET }}>
            {stop.label}
          </a>
        </>
      )}
    </>
  );
}

function ActionButton({ label, href }: NonNullable<EmailContent["action"]>) {
  return (
    <a
      href={href}
      style={{
        display: "inline-block",
        padding: "12px 20px",
        borderRadius: 6,
        backgroundColor: ACCENT,
        color: PAPER,
        fontWeight: 600,
        textDecoration: "none",
      }}
    >
      {label}
    </a>
  );
}
