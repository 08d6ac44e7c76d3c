type Answers<Asked extends readonly unknown[]> = { -readonly [K in keyof Asked]: Awaited<Asked[K]> };

/**
 * Waits for promises that started together. If several reject, throws the first in list order rather than the first to
 * reject, so that people get the same error each time.
 * @example const [, policy] = await allInOrder([requireLiveSubscription(services, id), findPolicy(services, id)]);
 */
export async function allInOrder<const Asked extends readonly unknown[]>(asked: Asked): Promise<Answers<Asked>> {
  const settled = await Promise.allSettled(asked);
  const refused = settled.find(({ status }) => status === "rejected");
  if (refused?.status === "rejected") throw refused.reason;
  return settled.map((answer) => (answer.status === "fulfilled" ? answer.value : undefined)) as Answers<Asked>;
}

/** The same for promises by name. @example const { policy } = await allNamed({ policy: findPolicy(services, id) }); */
export async function allNamed<const Asked extends Readonly<Record<string, unknown>>>(asked: Asked) {
  const answers = await allInOrder(Object.values(asked));
  const named = Object.keys(asked).map((name, at) => [name, answers[at]]);
  return Object.fromEntries(named) as { -readonly [Name in keyof Asked]: Awaited<Asked[Name]> };
}

/** Splits a list into parts of at most this size, for statements that pass many rows in one parameter. */
export function inParts<Row>(rows: readonly Row[], size: number): Row[][] {
  const parts: Row[][] = [];
  for (let at = 0; at < rows.length; at += size) parts.push(rows.slice(at, at + size));
  return parts;
}
