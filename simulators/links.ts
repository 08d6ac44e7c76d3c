const HREF = /href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const ADDRESS_IN_TEXT = /https?:\/\/[^\s<>"']+/g;

/** The web addresses a message leads to, each once: links of the markup, then addresses written out in the text. */
export function findLinks(markup: string, text: string): string[] {
  const marked = [...markup.matchAll(HREF)].map((found) => decodeEntities(found[1] ?? found[2] ?? ""));
  const written = (text.match(ADDRESS_IN_TEXT) ?? []).map((address) => address.replace(/[.,;:)\]]+$/, ""));
  return [...new Set([...marked, ...written])].filter((link) => /^https?:/.test(link));
}

function decodeEntities(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}
