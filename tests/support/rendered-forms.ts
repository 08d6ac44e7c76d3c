/** The forms of a page as a browser without scripts would send them. */

export type RenderedForm = {
  /** The URL it is posted to; empty: its own page. */
  action: string;
  /** The fields that are sent if nothing is changed, in page order. */
  fields: [string, string][];
  /** Names and values of its buttons: one of them is sent besides. */
  buttons: [string, string][];
  /** Every named control, also those that are not sent as they stand, such as boxes that are not ticked. */
  controls: string[];
};

const unescaped = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const attribute = (element: Element, name: string) => unescaped(element.getAttribute(name) ?? "");

/** Every form that posts, in the order of the page. */
async function readForms(page: Response): Promise<RenderedForm[]> {
  const forms: RenderedForm[] = [];
  const current = () => {
    const form = forms.at(-1);
    if (!form) throw new Error("a field outside of every form");
    return form;
  };
  let list: { name: string; chosen: string | undefined; first: string | undefined } | undefined;
  let area: { name: string; text: string } | undefined;
  await new HTMLRewriter()
    .on("form[method=post]", {
      element: (form) => void forms.push({ action: attribute(form, "action"), fields: [], buttons: [], controls: [] }),
    })
    .on("form[method=post] input[name]", {
      element(input) {
        const [name, type] = [attribute(input, "name"), attribute(input, "type")];
        current().controls.push(name);
        if (input.hasAttribute("disabled") || type === "file") return;
        if ((type === "checkbox" || type === "radio") && !input.hasAttribute("checked")) return;
        const value = type === "checkbox" && !input.hasAttribute("value") ? "on" : attribute(input, "value");
        current().fields.push([name, value]);
      },
    })
    .on("form[method=post] select[name]", {
      element(select) {
        const known = { name: attribute(select, "name"), chosen: undefined, first: undefined };
        list = known;
        current().controls.push(known.name);
        const form = current();
        select.onEndTag(() => {
          form.fields.push([known.name, known.chosen ?? known.first ?? ""]);
          list = undefined;
        });
      },
    })
    .on("form[method=post] select[name] option", {
      element(option) {
        if (!list) return;
        const value = attribute(option, "value");
        list.first ??= value;
        if (option.hasAttribute("selected")) list.chosen = value;
      },
    })
    .on("form[method=post] textarea[name]", {
      element(element) {
        const known = { name: attribute(element, "name"), text: "" };
        area = known;
        current().controls.push(known.name);
        const form = current();
        element.onEndTag(() => {
          form.fields.push([known.name, unescaped(known.text).replace(/^\n/, "")]);
          area = undefined;
        });
      },
      text(chunk) {
        if (area) area.text += chunk.text;
      },
    })
    .on("form[method=post] button[name]", {
      element: (button) => void current().buttons.push([attribute(button, "name"), attribute(button, "value")]),
    })
    .transform(page)
    .arrayBuffer();
  return forms;
}

/** The one form of a page that has a control of this name. */
export async function readFormWith(page: Response, control: string): Promise<RenderedForm> {
  const forms = (await readForms(page)).filter(({ controls }) => controls.includes(control));
  const [form, another] = forms;
  if (!form || another) throw new Error(`${forms.length} forms with the field ${control}`);
  return form;
}
