// A theme in a temporary folder, and a page that templates are rendered for.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine, type ThemeEngine } from '../../src/build/theme/engine.ts';
import type { PageContext } from '../../src/build/theme/page-context.ts';
import { readTheme, type ThemeFiles } from '../../src/build/theme/theme-files.ts';
import { parseThemeSettings } from '../../src/build/theme/theme-settings.ts';
import type { BlockConfig } from '../../src/config/site-config.ts';
import { ROOT } from './source.ts';

export const BUILT_IN = path.join(ROOT, 'src/build/themes/built-in');

export interface ThemeFolder extends Disposable {
  folder: string;
  write(file: string, text: string): void;
}

export function makeThemeFolder(files: Record<string, string>): ThemeFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-theme-'));
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  return { folder, write, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

export interface TestPage extends PageContext {
  used: Set<string>;
  warnings: string[];
}

/** A page in a language; addresses that are not http, https or relative become `#`. */
export function makePage(assets: ThemeFiles['assets'] = new Map(), locale = 'en'): TestPage {
  const used = new Set<string>();
  const warnings: string[] = [];
  return {
    ...{ locale, path: '/a/', isPreview: false, used, warnings },
    warn: (problem) => void warnings.push(problem),
    use: (file) => void used.add(file),
    assetUrl: (name) => (assets.has(name) ? `/${assets.get(name)}` : undefined),
    absoluteUrl: (address) => `https://example.com${address}`,
    image: (value) =>
      (typeof value === 'object' && value !== null && 'url' in value ? value.url : value) === '/uploads/a.png'
        ? {
            src: '/uploads/a-800.png',
            sources: [
              { src: '/uploads/a-400.png', width: 400 },
              { src: '/uploads/a-800.png', width: 800 },
            ],
            width: 800,
            height: 600,
            alt: 'A letter',
          }
        : undefined,
    link: (address) => (/^(https?:|\/|#|mailto:|tel:|[\w.-]+(\/|$))/i.test(address) ? address : '#'),
    form: (name) => (name === 'contact' ? '<form></form>' : undefined),
    search: () => '<search></search>',
  };
}

export async function makeEngine(
  folder: string | undefined,
  blocks: BlockConfig[] = [],
): Promise<{ engine: ThemeEngine; theme: ThemeFiles }> {
  const theme = await readTheme(BUILT_IN, folder);
  const builtInTexts = parseThemeSettings(await readTheme(BUILT_IN, undefined)).texts;
  return { theme, engine: createEngine({ theme, builtInTexts, defaultLocale: 'en', blocks, maxPageMs: 1000 }) };
}

/** Renders one template text as a layout. */
export async function renderText(text: string, scope: object = {}, more: Record<string, string> = {}): Promise<string> {
  using own = makeThemeFolder({ ...more, 'layouts/default.liquid': text });
  const { engine, theme } = await makeEngine(own.folder);
  return engine.render(['default'], scope, makePage(theme.assets));
}
