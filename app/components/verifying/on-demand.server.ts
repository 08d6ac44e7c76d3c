/** Rendered directly on the server; the browser loads these when a view needs them. */
export { ChangeStoryBanner } from "~/components/payees/change-story";
export { CallForm, DecidedCard, PayeeLinkCard } from "./review-on-demand";
