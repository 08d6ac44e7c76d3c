/** Rendered directly on the server; the browser loads these for the few people who see them. */
export { StandingNotice } from "~/components/accounts/organizations/standing-notice";
export { AccountMenu } from "./account-menu";
export { OutsiderFrame } from "./outsider-frame";
export { UnknownLink } from "./unknown-link";
