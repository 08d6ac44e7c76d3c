/** A person's two-step sign-in as their page shows it. */
export type TwoStepView =
  | { state: "off" }
  | {
      state: "setting_up";
      /** The QR code, as an image's address. */
      image: string;
      /** The same secret to type, in groups of four. */
      secret: string;
    }
  | { state: "on"; enabledAt: number; codesLeft: number };
