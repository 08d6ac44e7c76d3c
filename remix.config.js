import { flatRoutes } from "remix-flat-routes";

/** @type {import('@remix-run/dev').AppConfig} */
export default {
  appDirectory: "app",
  assetsBuildDirectory: "public/build",
  publicPath: "/build/",
  serverBuildPath: "build/index.js",
  server: "./workers/app.ts",
  serverModuleFormat: "esm",
  serverPlatform: "neutral",
  serverConditions: ["workerd", "worker", "browser"],
  serverMainFields: ["browser", "module", "main"],
  // Every dependency goes into the one Worker; what the runtime brings itself stays outside.
  serverDependenciesToBundle: [/^(?!cloudflare:|node:).*/],
  serverMinify: false,
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: true,
    v3_singleFetch: true,
  },
  postcss: true,
  tailwind: false,
  // Routes stand in folders by audience: `_app+/payees.$id.tsx` is /payees/:id, `api+/payees.ts` is /api/payees.
  ignoredRouteFiles: ["**/*"],
  routes: (defineRoutes) => flatRoutes("routes", defineRoutes),
  watchPaths: ["./workers/**/*.ts", "./db/**/*.ts"],
};
