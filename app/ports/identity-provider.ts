/** An organisation's identity provider, spoken to by OpenID Connect (openid.net/specs/openid-connect-core-1_0.html). */

/** Who we are there. */
export type ProviderClient = {
  /** As the provider's own document writes it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
};

/** What belongs to one sign-in: made here, kept by the browser, and compared when it comes back. */
export type ProviderAsking = {
  state: string;
  nonce: string;
  /** RFC 7636: only who asked can use the code. */
  codeVerifier: string;
  /** Where the provider sends the browser back to; registered there. */
  returnUrl: string;
};

/** What a provider says of the person who signed in there. */
export type ProviderAnswer = {
  /** The provider's own name for the person: never another's, and it never changes. */
  subject: string;
  /** Null where it says none. */
  email: string | null;
  /** The provider says that the address is the person's. What is not said is not so. */
  isEmailVerified: boolean;
  /** Empty where it says none. */
  firstName: string;
  lastName: string;
  /** It says that it asked for two factors (RFC 8176, "mfa"). */
  usedTwoFactors: boolean;
};

export interface IdentityProvider {
  /** Reads the provider's own document. @returns the issuer as it writes it */
  lookUp(issuer: string): Promise<string>;
  /**
   * The address at which a person signs in.
   * @param options.silently only if nothing has to be asked of the person
   */
  signInUrl(
    client: Pick<ProviderClient, "issuer" | "clientId">,
    asking: ProviderAsking,
    options: { silently: boolean; email?: string },
  ): Promise<string>;
  /** What the provider says, once everything about its answer has been checked. */
  readAnswer(client: ProviderClient, asking: ProviderAsking, query: URLSearchParams): Promise<ProviderAnswer>;
}

/** The provider did not sign the person in: it has to ask them something first, they said no, or its answer is not to be trusted. */
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
