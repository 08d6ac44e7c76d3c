/** Rendered directly on the server; the browser loads these separately from the page. */
export { PayeeChartCard } from "./payee-chart";
