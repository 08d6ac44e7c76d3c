import path from "node:path";

export const READER = "payeeproof-reader";

/** The document reader as a second Worker in Miniflare: no bindings, no requests. @param {string} folder its build's */
export const readerWorker = (folder) => ({
  name: READER,
  modulesRoot: folder,
  modules: [
    { type: "ESModule", path: path.join(folder, "index.js") },
    { type: "CompiledWasm", path: path.join(folder, "pdfium.wasm") },
  ],
  compatibilityDate: "2026-04-01",
  compatibilityFlags: ["nodejs_compat"],
  outboundService: () => new Response(null, { status: 403 }),
});
