/** The structure of outside parties' answers, for tests that compare them with published examples. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The fields of an answer, by their paths: "data[].links.self". */
export function pathsOf(value: Json, at = ""): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => pathsOf(item, `${at}[]`)))];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = at === "" ? key : `${at}.${key}`;
    return [path, ...pathsOf(inner, path)];
  });
}

/** An answer with an unknown field in each of its objects. */
export function withUnknownFields(answer: Json): Json {
  if (Array.isArray(answer)) return answer.map(withUnknownFields);
  if (answer === null || typeof answer !== "object") return answer;
  const inner = Object.entries(answer).map(([key, value]) => [key, withUnknownFields(value)]);
  return { ...Object.fromEntries(inner), newIn2027: { since: "2027-01-01", list: [1, null] } };
}
