const HOUR_SECONDS = 3600;

/** A public file that is made on request, because it names the site's own address. */
export function textAnswer(body: string, contentType: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": `${contentType}; charset=utf-8`,
      "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
    },
  });
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as the content or attribute of an XML element. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
