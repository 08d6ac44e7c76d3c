/** What the server draws at once, and the browser loads beside the page. */
export { PayeeLifeCard } from "./payee-life";
