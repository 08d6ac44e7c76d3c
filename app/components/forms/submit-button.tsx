import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button, type ButtonSize, type ButtonVariant } from "~/components/ui/button";
import type { IconName } from "~/components/ui/icons";

interface SubmitButtonProps {
  children: ReactNode;
  /** "Joining..." */
  pendingText?: string;
  /** Name and value sent with the form; they also tell two buttons of one form apart. */
  name?: string;
  value?: string;
  /** The form's action, where a page has several forms. */
  formAction?: string;
  /** Id of a form the button is outside of. */
  form?: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  disabled?: boolean;
  /** Whether a page that listens for keys presses it at one key, or leads to what has to be said first. */
  "data-keys"?: "one" | "two";
  className?: string;
}

/** Sends the form. While the post is under way it says so and ignores further presses. */
export function SubmitButton({ pendingText, children, ...button }: SubmitButtonProps) {
  const navigation = useNavigation();
  const sent = navigation.formData;
  const mine =
    sent !== undefined &&
    (button.name === undefined || sent.get(button.name) === (button.value ?? "")) &&
    (button.formAction === undefined || navigation.formAction?.split("?")[0] === button.formAction.split("?")[0]);
  return (
    <Button type="submit" {...button} pending={navigation.state !== "idle" && mine} pendingText={pendingText}>
      {children}
    </Button>
  );
}
