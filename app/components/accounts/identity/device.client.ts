/** How a browser asks its device for a passkey. The server's build leaves this file out. */
export { startAuthentication, startRegistration, WebAuthnAbortService } from "@simplewebauthn/browser";
