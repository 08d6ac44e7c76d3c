import { parseAbn } from "~/kernel/abn";
import { invalidInput } from "~/kernel/app-error";
import { cleanLine } from "~/kernel/text";
import { UpstreamError } from "~/kernel/upstream-error";
import type { Services, WriteServices } from "~/services";
import { lookUpAbn } from "./look-up.server";
import { describeAnswer, describeHits, type LookUpView, REGISTER_OFF, UNREACHABLE } from "./register.view";

type Looking = WriteServices & Pick<Services, "businessRegister" | "log">;

const MAX_NAME = 140;

/**
 * What the register offers for a form: whose ABN was typed, or which ABNs have a name like the one typed.
 * @throws AppError 400 with a sentence beside the ABN where neither can be looked up
 */
export async function offerFromRegister(
  services: Looking,
  { abn: typed, name }: { abn: string; name: string },
): Promise<LookUpView> {
  if (typed.trim() !== "") {
    const abn = parseAbn(typed);
    if (!abn) throw invalidInput({ abn: ["This is not a valid ABN. Look for a mistyped digit."] });
    const found = await lookUpAbn(services, abn);
    if (found.state === "off") return { kind: "silent", sentence: REGISTER_OFF };
    if (found.state === "answered") return describeAnswer(abn, found.answer);
    return found.before ? describeAnswer(abn, found.before) : { kind: "silent", sentence: UNREACHABLE };
  }
  const asked = cleanLine(name).slice(0, MAX_NAME);
  if (asked.length < 2) throw invalidInput({ abn: ["Type an ABN, or the payee's name to find one"] });
  if (!services.businessRegister) return { kind: "silent", sentence: REGISTER_OFF };
  try {
    return describeHits(await services.businessRegister.findByName(asked));
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    services.log.warn("register.unreachable", { error: error.message });
    return { kind: "silent", sentence: UNREACHABLE };
  }
}
