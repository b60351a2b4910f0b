// What every template promises: see src/templates/README.md.
import fs from 'node:fs';
import path from 'node:path';
import { HtmlValidate } from 'html-validate';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { listTemplates } from '../../src/templates/templates.ts';
import { findViolations, openBrowser } from '../support/browser.ts';
import {
  assertLateFontsMoveNothing,
  assertNothingMoves,
  assertNotSideways,
  assertPrints,
  assertSearchFits,
} from './template-looks.ts';
import { assertLinks, readPages, type SitePage } from './template-pages.ts';
import { buildTemplate, type TemplateSite } from './template-site.ts';

const MOST_BYTES = 100_000;

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  // Void elements and attributes are written as the builder likes; labels of a result list are its own business.
  rules: {
    'no-trailing-whitespace': 'off',
    'no-inline-style': 'error',
    'long-title': 'off',
    'prefer-native-element': 'off',
    'tel-non-breaking': 'off',
    'valid-id': 'off',
  },
});

const wanted = process.env.TEMPLATE;
/**
 * Every page is validated, and one of each shape opened in both schemes; otherwise one of each shape is validated, and
 * three are opened in one scheme.
 */
const isThorough = wanted !== undefined || process.env.TEMPLATES === 'all';
const OPENED = 3;
/** Each template takes some ten seconds, in three programs; the nightly run has all of them. */
const OFTEN = ['blog', 'events', 'static-boilerplate'];
const names = listTemplates().map(({ name }) => name);

test('there are templates, and each has its picture and its credits', () => {
  assert.ok(names.length > 0);
  for (const { name, image } of listTemplates()) {
    const folder = new URL(`../../src/templates/${name}/`, import.meta.url);
    assert.ok(fs.statSync(new URL(image, folder)).size < 150_000, `${name}: ${image}`);
    assert.ok(fs.existsSync(new URL('CREDITS.md', folder)), name);
  }
});

const chosen = wanted === undefined ? (isThorough ? names : OFTEN) : [wanted];
for (const [index, name] of chosen.entries()) {
  test(`template ${name}: valid pages, no broken link, nothing from elsewhere, accessible in light and dark`, async () => {
    await using site = await buildTemplate(name);
    assert.equal(
      site.complaints
        .split(/[\r\n]+/)
        .filter((line) => line !== '' && !/^\d+ of \d+ pages|^build\.baseUrl is not set/.test(line)),
      [],
    );
    const pages = readPages(site);
    const shapes = new Map(pages.map((page) => [shapeOf(page), page]));
    assertLinks(site, pages);
    for (const { file, html: text } of pages) {
      assert.not.match(text, /lorem ipsum/i);
      if (!isThorough && ![...shapes.values()].some((page) => page.file === file)) continue;
      const report = await validator.validateString(text, file);
      const faults = report.results.flatMap(({ messages }) =>
        messages.map(({ ruleId, line, message }) => `${file}:${line} ${ruleId} ${message}`),
      );
      assert.equal(faults, []);
    }
    const schemes = isThorough ? SCHEMES : [SCHEMES[index % 2]!];
    await openPages(site, [...shapes.values()].slice(0, isThorough ? undefined : OPENED), schemes);
  });
}

const SCHEMES = ['light', 'dark'] as const;

/** Pages of one shape are in one folder. */
function shapeOf({ file }: SitePage): string {
  return file.split('/').length > 2 ? path.dirname(path.dirname(file)) : file;
}

async function openPages(
  site: TemplateSite,
  pages: readonly SitePage[],
  schemes: readonly (typeof SCHEMES)[number][],
): Promise<void> {
  await using browser = await openBrowser();
  for (const colorScheme of schemes) {
    const { page, complaints } = await browser.open({ colorScheme });
    let bytes = 0;
    const strangers: string[] = [];
    page.on('request', (request) => void (request.url().startsWith(site.url) || strangers.push(request.url())));
    page.on('response', async (response) => {
      if (response.request().resourceType() !== 'image')
        bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
    });
    for (const { file } of pages) {
      for (const width of isThorough ? [360, 768, 1440] : [360, 1024]) {
        await page.setViewportSize({ width, height: 800 });
        bytes = 0;
        await page.goto(`${site.url}/${file.replace(/index\.html$/, '')}`, { waitUntil: 'load' });
        await assertNothingMoves(page, file);
        await assertNotSideways(page, file);
        assert.ok(bytes < MOST_BYTES, `${file}: ${bytes} bytes before pictures`);
      }
      assert.equal(await findViolations(page), [], `${file} in ${colorScheme}`);
    }
    assert.equal(strangers, []);
    assert.equal(complaints, []);
    await page.close();
  }
  if (site.files.some((file) => file.endsWith('.woff2'))) await assertLateFontsMoveNothing(browser, site.url);
  await assertSearchFits(browser, site.url);
  await assertPrints(browser, site.url);
}

test.run();
