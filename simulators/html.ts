/** Text that is markup already. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = string | number | Markup | readonly Markup[] | undefined;

/** Builds markup from a template; everything interpolated is escaped unless it is markup already. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(strings.reduce((text, part, i) => text + toText(values[i - 1]) + part));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function toText(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map((part) => part.text).join("");
  return escapeHtml(String(value));
}

const STYLE = `
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: #1d2430; background: #f4f5f7; }
header { background: #5b2a86; color: #fff; padding: .75rem 1.25rem; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
header a { color: #fff; }
main { max-width: 60rem; margin: 1.5rem auto; padding: 1rem 1.5rem; background: #fff; border: 1px solid #d9dce3; border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .35rem .5rem; border-bottom: 1px solid #e4e6eb; vertical-align: top; overflow-wrap: anywhere; }
fieldset { border: 1px solid #d9dce3; border-radius: 6px; margin: 1rem 0; }
label { display: block; padding: .3rem 0; }
button { font: inherit; padding: .5rem 1rem; border-radius: 6px; border: 1px solid #5b2a86; background: #5b2a86; color: #fff; cursor: pointer; }
button.quiet { background: #fff; color: #5b2a86; }
input, select { font: inherit; padding: .3rem; }
iframe { width: 100%; height: 40rem; border: 1px solid #d9dce3; background: #fff; }
.hint { color: #5a6372; font-size: .9rem; }
`;

/**
 * A whole page of the simulators, plain enough never to be taken for the product.
 * @param refreshSeconds how often the browser loads it again by itself; never without it
 */
export function page(title: string, body: Markup, status = 200, refreshSeconds?: number): Response {
  const document = html`<!doctype html>
<html lang="en-AU">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refreshSeconds === undefined ? undefined : html`<meta http-equiv="refresh" content="${refreshSeconds}">`}
<title>${title} - simulators</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header><strong>Simulators: local only</strong>
<nav><a href="/">Start</a><a href="/mail">Email</a><a href="/senders">Invoices</a><a href="/sms">Text messages</a><a href="/basiq">Bank</a><a href="/stripe">Cards</a><a href="/xero">Xero</a><a href="/myob">MYOB</a><a href="/identity">Sign-in</a><a href="/faults">Faults</a><a href="/ledger">Ledger</a></nav></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return new Response(document.text, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

/** Where a person looks next, after a form was sent. */
export const seeOther = (location: string): Response => new Response(null, { status: 303, headers: { location } });

export const money = (cents: number): string => (cents / 100).toFixed(2);

/** Integer cents of an amount as a person types it. */
export const centsOf = (text: string | null): number => Math.round(Number((text ?? "").replace(/[$,\s]/g, "")) * 100);
