export { Log, LogLevel, Miniflare } from "miniflare";
