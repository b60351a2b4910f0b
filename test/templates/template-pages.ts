// The pages of a built template, and where their links lead.
import fs from 'node:fs';
import path from 'node:path';
import { DomUtils, parseDocument } from 'htmlparser2';
import * as assert from 'uvu/assert';
import type { TemplateSite } from './template-site.ts';

const ADDRESSES = ['href', 'src', 'srcset', 'action', 'poster'];

export interface SitePage {
  file: string;
  html: string;
  addresses: string[];
}

export function readPages({ folder, files }: TemplateSite): SitePage[] {
  return files
    .filter((file) => file.endsWith('.html'))
    .map((file) => {
      const html = fs.readFileSync(path.join(folder, file), 'utf8');
      const elements = DomUtils.findAll(() => true, parseDocument(html).children);
      const addresses = elements.flatMap(({ attribs }) =>
        ADDRESSES.flatMap((name) =>
          attribs[name] === undefined
            ? []
            : name === 'srcset'
              ? attribs[name].split(',').map((one) => one.trim().split(' ')[0]!)
              : [attribs[name]],
        ),
      );
      return { file, html, addresses };
    });
}

function toFile(address: string, page: string): string {
  const { pathname } = new URL(address, `http://site/${page.replace(/index\.html$/, '')}`);
  const file = decodeURIComponent(pathname).slice(1);
  return file === '' || file.endsWith('/') ? `${file}index.html` : file;
}

const isInternal = (address: string): boolean => !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
/** The service's, not the site's. */
const isService = (address: string): boolean => address.startsWith('/api/');

/** Every link within the site leads to a file, and to an element of it if it names one. */
export function assertLinks(site: TemplateSite, pages: readonly SitePage[]): void {
  const files = new Set(site.files);
  const html = new Map(pages.map((page) => [page.file, page.html]));
  for (const { file, addresses } of pages) {
    for (const address of addresses.filter((one) => isInternal(one) && !isService(one))) {
      const target = toFile(address, file);
      assert.ok(files.has(target), `${file}: "${address}" leads nowhere`);
      const anchor = /#(.+)$/.exec(address)?.[1];
      if (anchor)
        assert.ok(html.get(target)?.includes(`id="${decodeURIComponent(anchor)}"`), `${file}: no "${address}"`);
    }
  }
}
