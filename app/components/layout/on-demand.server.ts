/** What the server draws at once, and the browser loads for the few people who see it. */
export { StandingNotice } from "~/components/accounts/organizations/standing-notice";
export { AccountMenu } from "./account-menu";
export { OutsiderFrame } from "./outsider-frame";
export { UnknownLink } from "./unknown-link";
