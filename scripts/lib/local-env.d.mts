/** Where this copy listens and keeps its data. */
export type LocalPlace = { appOrigin: string; simulatorsOrigin: string };
type Variables = Record<string, string | undefined>;

/** The variables of outside parties that the shell sets. */
export declare function providerVariables(env?: Variables): Record<string, string>;
/** The environment of the local app: outside parties are the simulators, unless the shell says otherwise. */
export declare function localEnv(place: LocalPlace, secrets: Record<string, string>, env?: Variables): Variables;
