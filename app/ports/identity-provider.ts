/** An organisation's OpenID Connect identity provider (openid.net/specs/openid-connect-core-1_0.html). */

/** Our registration at the provider. */
export type ProviderClient = {
  /** Exactly as in the provider's own metadata. */
  issuer: string;
  clientId: string;
  clientSecret: string;
};

/** The values of one sign-in: created here, kept by the browser, and compared when it returns. */
export type ProviderAsking = {
  state: string;
  nonce: string;
  /** RFC 7636: only the browser that started the sign-in can use the code. */
  codeVerifier: string;
  /** Where the provider redirects the browser; registered there. */
  returnUrl: string;
};

/** The provider's claims about the person who signed in. */
export type ProviderAnswer = {
  /** The provider's unique id of the person, which never changes. */
  subject: string;
  /** Null if there is none. */
  email: string | null;
  /** The provider confirms that the address belongs to the person; false if it does not say. */
  isEmailVerified: boolean;
  /** Empty if there is none. */
  firstName: string;
  lastName: string;
  /** The provider reports that two factors were used (RFC 8176, "mfa"). */
  usedTwoFactors: boolean;
};

export interface IdentityProvider {
  /** Reads the provider's metadata. @returns the issuer as written there */
  lookUp(issuer: string): Promise<string>;
  /**
   * The address at which a person signs in.
   * @param options.silently fail instead of asking the person anything
   */
  signInUrl(
    client: Pick<ProviderClient, "issuer" | "clientId">,
    asking: ProviderAsking,
    options: { silently: boolean; email?: string },
  ): Promise<string>;
  /** The provider's claims, once everything about its answer has been checked. */
  readAnswer(client: ProviderClient, asking: ProviderAsking, query: URLSearchParams): Promise<ProviderAnswer>;
}

/** The provider did not sign the person in: it must ask them first, they refused, or its answer is not trusted. */
export class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";

  constructor(
    readonly reason: "asks_person" | "refused" | "not_trusted",
    /** For the log, and for the administrator who tests: no secrets. */
    readonly detail: string,
    options: { cause?: unknown } = {},
  ) {
    super(`identity provider: ${reason}: ${detail}`, options);
  }
}
