import { useLocation } from "@remix-run/react";
import { Form, HiddenFields } from "~/components/forms/form";
import { cx, Icon, type IconName } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";

export type Theme = "light" | "dark" | "system";

const choices: readonly { value: Theme; icon: IconName; word: string }[] = [
  { value: "light", icon: "sun", word: "Light" },
  { value: "dark", icon: "moon", word: "Dark" },
  { value: "system", icon: "monitor", word: "System" },
];

/** Light, dark or the system's theme: posts `theme` and `redirectTo` to /theme, which stores the choice in a cookie. */
export function ThemeToggle({ theme }: { theme: Theme }) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={sitePaths.theme} preventScrollReset replace>
      <fieldset className="flex w-fit rounded-base bg-sunken p-0.5 border border-line">
        <legend className="sr-only">Colours</legend>
        <HiddenFields values={{ redirectTo: pathname + search }} />
        {choices.map(({ value, icon, word }) => (
          <button
            key={value}
            type="submit"
            name="theme"
            value={value}
            aria-pressed={theme === value}
            className={cx(
              "grid size-8 place-items-center rounded-base border hover:text-ink",
              theme === value ? "border-line bg-surface text-ink shadow-rest" : "border-transparent text-ink-soft",
            )}
          >
            <Icon name={icon} className="size-4" />
            <span className="sr-only">{word}</span>
          </button>
        ))}
      </fieldset>
    </Form>
  );
}
