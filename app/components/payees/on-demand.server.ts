/** Rendered directly on the server; the browser loads these separately from the page. */
export { PayeeLifeCard } from "./payee-life";
