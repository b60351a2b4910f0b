// Takes pictures of a template's pages, to be looked at: node scripts/template-shots.ts <name> <folder>
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openBrowser } from '../test/support/browser.ts';
import { buildTemplate } from '../test/templates/template-site.ts';

const [name = '', folder = '', only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
await using site = await buildTemplate(name);
await using browser = await openBrowser();
const pages = site.files.filter((file) => file.endsWith('.html') && (only === undefined || file.includes(only)));
for (const width of [360, 768, 1440]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await browser.open({ colorScheme, viewport: { width, height: 900 } });
    for (const file of pages) {
      await page.goto(`${site.url}/${file.replace(/index\.html$/, '')}`, { waitUntil: 'networkidle' });
      const shot = `${file.replace(/\/?index\.html$/, '').replaceAll('/', '_') || 'home'}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: path.join(folder, shot), fullPage: true });
    }
    await page.close();
  }
}
process.stdout.write(`${pages.length} pages in ${folder}\n`);
