/** A file that the browser saves and never opens by itself. Quotes and control characters leave the name. */
export function downloadAnswer({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }): Response {
  const plain = name.replace(/[^\w.() -]/g, "_");
  const encoded = encodeURIComponent(name);
  return new Response(bytes, {
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
      "Content-Length": String(bytes.length),
      "Cache-Control": "no-store",
    },
  });
}
