/** Recovery codes: what a person without their device types instead. Pure. */

export const RECOVERY_CODE_COUNT = 10;

const GROUP = 4;
const LENGTH = 16;
/** Base32 letters: no 0, 1, 8 or 9 to be mistaken for a letter. 16 of them are 80 bits. */
const CODE = /^[A-Z2-7]{16}$/;

/** As people read it: `ABCD-EFGH-IJKL-MNOP`. @param base32 at least 16 letters of fresh randomness */
export function formatRecoveryCode(base32: string): string {
  return (
    base32
      .slice(0, LENGTH)
      .match(new RegExp(`.{${GROUP}}`, "g"))
      ?.join("-") ?? ""
  );
}

/** What a person typed, as it is hashed; undefined when it cannot be a recovery code. */
export function parseRecoveryCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  return CODE.test(code) ? code : undefined;
}

/** What a person typed, as the six digits of an app; undefined when it cannot be such a code. */
export function parseTotp(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, "");
  return /^\d{6}$/.test(code) ? code : undefined;
}
