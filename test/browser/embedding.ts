// A site that embeds our forms: pages of another origin, which may or may not be registered as the site's preview.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { FormConfigInput } from '../../src/config/form-config.ts';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { makeWorld, type World, type WorldOptions } from '../support/world.ts';

export const CONTACT: FormConfigInput = {
  name: 'contact',
  label: 'Contact us',
  successMessage: 'Thank you, <b>we</b> will write.',
  fields: [
    { name: 'name', label: 'Your name', type: 'text', required: true, placeholder: 'Ada' },
    { name: 'email', label: 'E-mail', type: 'email', required: true },
    { name: 'site', label: 'Web site', type: 'url' },
    { name: 'message', label: 'Message', type: 'textarea', validation: { minLength: 3, maxLength: 500 } },
  ],
};

/** Fills the required fields of CONTACT. */
export async function fillContact(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@example.com');
}

export interface OtherSite extends AsyncDisposable {
  origin: string;
  /** Serves a page at the path and returns its address. */
  show(path: string, body: string, page?: { head?: string; headers?: Record<string, string> }): string;
}

/** A separate web server, so that its pages have another origin. */
export async function serveOtherSite(): Promise<OtherSite> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const server = createServer((req, res) => {
    const page = pages.get(new URL(req.url ?? '/', 'http://site').pathname);
    // A browser asks for an icon by itself; a refusal would be a complaint in its console.
    if (!page) return void res.writeHead(204).end();
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers }).end(page.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    show(path, body, { head = '', headers = {} } = {}) {
      const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site</title>
<meta name="viewport" content="width=device-width">${head}</head><body><main><h1>Site</h1>${body}</main></body></html>`;
      pages.set(path, { html, headers });
      return origin + path;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The verifier of challenges: accepts `site-key:<number>`, each once. */
export async function serveVerifier(): Promise<AsyncDisposable & { url: string }> {
  const used = new Set<string>();
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk) => (body += chunk));
    req.on('end', () => {
      const token = new URLSearchParams(body).get('response') ?? '';
      const success = /^site-key:\d+$/.test(token) && !used.has(token);
      used.add(token);
      const codes = success ? [] : ['timeout-or-duplicate'];
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ success, 'error-codes': codes }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))),
  };
}

export interface Embedding extends AsyncDisposable {
  world: World;
  site: OtherSite;
  /** The element and the script of a form, as an author writes them. */
  embed(name: string, query?: string): string;
  /** What was submitted to a form, newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by the tests
  sent(name: string): Promise<any[]>;
}

/** The service with these forms, and a site whose pages may use them. */
export async function embedForms(forms: FormConfigInput[], options: WorldOptions = {}): Promise<Embedding> {
  const config: SiteConfigInput = { collections: [], ...options.config, forms };
  const stack = new AsyncDisposableStack();
  const world = stack.use(await makeWorld({ ...options, config }));
  const site = stack.use(await serveOtherSite());
  const { status, text } = await world.admin.post('/api/admin/site-config?site=default', {
    previewSiteUrl: `${site.origin}/`,
  });
  if (status !== 200) {
    await stack.disposeAsync();
    throw new Error(`${status} ${text}`);
  }
  return {
    world,
    site,
    embed: (name, query = '') =>
      `<div id="cms-form-${name}"></div><script src="${world.url}/api/forms/${name}/widget.js${query}"></script>`,
    async sent(name) {
      return (await world.admin.get(`/api/admin/forms/${name}/submissions?site=default`)).json.submissions;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
