import { countMembers } from "~/modules/accounts/administration/people.server";
import { toPolicyView } from "~/modules/accounts/organizations/policy";
import { findPolicyState } from "~/modules/accounts/organizations/policy.server";
import { listWaitingChanges } from "~/modules/accounts/organizations/policy-changes.server";
import { describeImpacts } from "~/modules/rules/rule-impact";
import { type Actor, canAdminister, type Services } from "~/services-and-actor";
import { listDecidedFacts } from "./payment-facts/decided-facts.server";

/** The policies page: the chosen values, the pending changes, and what each rule would have found recently. */
export async function readPoliciesPage(services: Services, actor: Actor) {
  const [{ policy, version }, members, decided, waiting] = await Promise.all([
    findPolicyState(services, actor.organizationId),
    countMembers(services, actor.organizationId),
    listDecidedFacts(services, actor.organizationId),
    listWaitingChanges(services, actor),
  ]);
  return {
    view: toPolicyView(policy, version),
    impacts: describeImpacts(decided.facts, policy.ruleLevels),
    looksBack: { count: decided.facts.length, isPartial: decided.isPartial },
    waiting,
    canAdminister: canAdminister(actor),
    offersSecondPerson: members.active > 1 && !policy.secondPersonRequired,
  };
}
