import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const SCRIPT = path.resolve(import.meta.dirname, "bsb-import.mjs");

type Answer = { status: number; body?: string };

let directory: string;
let server: Server;
let requests: { url: string | undefined; body: string }[];
let answer: () => Answer;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "bsb-import-"));
  requests = [];
  answer = () => ({ status: 204 });
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ url: request.url, body });
    const { status, body: text } = answer();
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(directory, { recursive: true });
});

type Run = { code: number; stdout: string; stderr: string };

function run(args: string[], env: Record<string, string> = {}): Promise<Run> {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, APP_ORIGIN: origin, ...env } };
    execFile(process.execPath, [SCRIPT, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

async function aFile(lines: string[]): Promise<string> {
  const file = path.join(directory, "directory.csv");
  await writeFile(file, lines.join("\r\n"));
  return file;
}

const someRows = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const digits = String(i).padStart(6, "0");
    return `${digits.slice(0, 3)}-${digits.slice(3)},CBA,Name,Street,Sydney,NSW,2000,PEH`;
  });

describe("loading into the application on this machine", () => {
  test("the file arrives as it is, under its name", async () => {
    const { code, stdout, stderr } = await run([await aFile(someRows(1_201))]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(requests).toEqual([
      { url: "/__local/bsb-directory?name=directory.csv", body: someRows(1_201).join("\r\n") },
    ]);
    expect(stdout).toMatch(/^Loaded 1201 BSBs \(1201 open, 0 merged, 0 closed\) into http:\/\/127\.0\.0\.1:\d+\.$/m);
  });

  test("without APP_ORIGIN the port decides", async () => {
    const port = String((server.address() as AddressInfo).port);
    const { code } = await run([await aFile(someRows(1))], { APP_ORIGIN: "", PORT: port });
    expect(code).toBe(0);
    expect(requests).toHaveLength(1);
  });

  test("a successor that is not listed is pointed out and no obstacle", async () => {
    const { code, stdout } = await run([
      await aFile(["062-000,CBA,Merged,Refer to BSB 062-999,Sydney,NSW,2000,PEH", ...someRows(1)]),
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("the successor is not listed for 062000");
    expect(stdout).toContain("2 BSBs (1 open, 1 merged, 0 closed)");
  });

  test("a refusal is shown", async () => {
    answer = () => ({ status: 500, body: "out of order" });
    const { code, stdout, stderr } = await run([await aFile(someRows(3))]);
    expect(code).toBe(1);
    expect(requests).toHaveLength(1);
    expect(stderr).toContain("answered 500: out of order");
    expect(stdout).not.toContain("Loaded");
  });

  test("a deployed application is told apart", async () => {
    answer = () => ({ status: 404 });
    const { code, stderr } = await run([await aFile(someRows(1))]);
    expect(code).toBe(1);
    expect(stderr).toContain("Use --sql instead.");
  });

  test("an application that does not run is named", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
    const { code, stderr } = await run([await aFile(someRows(1))], { APP_ORIGIN: origin });
    expect(code).toBe(1);
    expect(stderr).toBe(`The application does not answer at ${origin} (ECONNREFUSED). Start it with: npm start\n`);
  });
});

describe("a file that cannot be loaded", () => {
  test("with faults in it: the lines are named, twenty at most, and nothing is sent", async () => {
    const { code, stderr } = await run([await aFile([...someRows(2), ...Array(25).fill("oops")])]);
    expect(code).toBe(1);
    expect(requests).toEqual([]);
    expect(stderr).toContain("Nothing was loaded");
    expect(stderr).toContain("  line 3: 1 columns where the directory has 8");
    expect(stderr).toContain("  line 22: ");
    expect(stderr).not.toContain("  line 23: ");
    expect(stderr).toContain("  and 5 more");
  });

  test("that does not exist", async () => {
    const { code, stderr } = await run([path.join(directory, "nowhere.csv")]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot read .*nowhere\.csv: there is no such file\n$/);
  });

  test("that is not text", async () => {
    const file = path.join(directory, "directory.csv");
    await writeFile(file, Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe]));
    const { code, stderr } = await run([file]);
    expect(code).toBe(1);
    expect(stderr).toContain("is not text in UTF-8");
  });
});

test("with --sql a file is written and nothing is sent", async () => {
  const out = path.join(directory, "out.sql");
  const { code, stdout } = await run([await aFile(someRows(3)), "--sql", out]);
  expect(code).toBe(0);
  expect(requests).toEqual([]);
  expect(stdout).toContain(`Wrote 3 BSBs (3 open, 0 merged, 0 closed) to ${out}.`);
  expect(await readFile(out, "utf8")).toMatch(/^INSERT OR REPLACE INTO bsb_directory /);
});

test.each([[[]], [["a", "b"]], [["--nonsense", "a"]], [["a", "--sql"]]])(
  "arguments %j: how to call it is said",
  async (args) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stderr).toContain("Usage: npm run bsb:import -- FILE [--sql OUT.sql]");
  },
);
