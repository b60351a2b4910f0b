// A template as its user has it: written by `colophon init --template`, built by `colophon build`, and served.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../..');

export interface TemplateSite extends AsyncDisposable {
  /** Address of the built site. */
  folder: string;
  /** Paths below it. */
  files: string[];
  url: string;
  /** What `init` and `build` printed on standard error. */
  complaints: string;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};
const CSP = "default-src 'self'; object-src 'none'; base-uri 'self'";

/** @param change Changes the folder of the content before the site is built. */
export async function buildTemplate(name: string, change?: (content: string) => Promise<void>): Promise<TemplateSite> {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-template-'));
  const run = (...args: string[]): string => {
    const errors = path.join(project, 'errors.txt');
    const stderr = fs.openSync(errors, 'w');
    try {
      execFileSync(process.execPath, [path.join(ROOT, 'src/cli/main.ts'), ...args], {
        cwd: project,
        stdio: ['ignore', 'ignore', stderr],
      });
    } catch {
      throw new Error(`colophon ${args.join(' ')}: ${fs.readFileSync(errors, 'utf8')}`);
    } finally {
      fs.closeSync(stderr);
    }
    return fs.readFileSync(errors, 'utf8');
  };
  let complaints = run('init', '--template', name, '.');
  fs.mkdirSync(path.join(project, 'node_modules'));
  fs.symlinkSync(ROOT, path.join(project, 'node_modules/colophon'));
  await change?.(path.join(project, 'content'));
  complaints += run('build');
  const folder = path.join(project, 'dist');
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const server = createServer((request, response) => {
    const wanted = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
    const file = path.join(folder, wanted.endsWith('/') ? `${wanted}index.html` : wanted);
    const isFound = file.startsWith(folder) && fs.existsSync(file) && fs.statSync(file).isFile();
    response.statusCode = isFound ? 200 : 404;
    response.setHeader('Content-Security-Policy', CSP);
    const sent = isFound ? file : path.join(folder, '404.html');
    response.setHeader('Content-Type', TYPES[path.extname(sent)] ?? 'text/plain; charset=utf-8');
    response.end(fs.readFileSync(sent));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    folder,
    files: files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort(),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    complaints,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
      fs.rmSync(project, { recursive: true, force: true });
    },
  };
}
