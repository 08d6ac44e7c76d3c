export declare function startRelay(
  url: string,
): Promise<{ variables: { MAIL_BASE_URL: string; MAIL_API_KEY: string }; close: () => void }>;
