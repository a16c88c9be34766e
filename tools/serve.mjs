// Serves the built site on this machine, with the headers a careful host would send.
import { createServer } from "node:http";
import { SetupError } from "./setup/stage.mjs";

/** The strict policy the site promises to run under. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html attention-loom",
].join("; ");

/** How many ports after the wanted one are tried. */
const portsToTry = 20;

/**
 * @param {import("node:http").Server} server
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>} false when the port is taken
 */
const listen = (server, port, host) =>
  new Promise((resolve, reject) => {
    const onError = (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error);
    server.once("error", onError);
    server.listen(port, host, () => {
      server.removeListener("error", onError);
      resolve(true);
    });
  });

/**
 * @param {string} folder the site's folder
 * @param {{ port?: number, exact?: boolean, host?: string, policy?: string | null }} [options] with `exact` a taken
 *   port is an error, otherwise the next free one is used; port 0 takes any free one; `policy: null` sends none
 * @returns {Promise<{ address: string, server: import("node:http").Server, close: () => Promise<void> }>}
 */
export async function serve(
  folder,
  { port = 5173, exact = false, host = "127.0.0.1", policy = contentSecurityPolicy } = {},
) {
  const { default: sirv } = await import("sirv");
  const files = sirv(folder, {
    dev: true,
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders: (response) => {
      if (policy) response.setHeader("Content-Security-Policy", policy);
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setHeader("Cache-Control", "no-cache");
    },
  });
  const server = createServer((request, response) =>
    files(request, response, () => {
      response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" });
      response.end("There is no page at this address.\n");
    }),
  );
  const last = exact || port === 0 ? port : port + portsToTry;
  for (let candidate = port; candidate <= last; candidate++) {
    if (!(await listen(server, candidate, host))) continue;
    const { port: used } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const close = () =>
      new Promise((/** @type {(value: void) => void} */ resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return { address: `http://${host === "127.0.0.1" ? "localhost" : host}:${used}/`, server, close };
  }
  throw new SetupError(
    exact
      ? `Port ${port} is taken; name another with --port or leave --port out.`
      : `The ports ${port} to ${last} are all taken; name a free one with --port.`,
  );
}
