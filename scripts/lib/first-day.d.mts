type Party = { needs: string[]; usual: Record<string, string> };
export const PARTIES: Record<string, Party>;
export function askParty(
  name: string,
  shell: Readonly<Record<string, string | undefined>>,
  fetch: (request: Request) => Promise<Response>,
): Promise<{ missing: string[]; found: [sentence: string, isTrue: boolean][]; refused: string[] }>;
