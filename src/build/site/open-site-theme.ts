// The theme of a site, opened for a build: the site's own files over those of the built-in theme.
import { fileURLToPath } from 'node:url';
import type { FieldConfig, SiteConfig } from '../../config/site-config.ts';
import { createEngine } from '../theme/engine.ts';
import { readTheme, type ThemeFiles } from '../theme/theme-files.ts';
import { parseThemeSettings } from '../theme/theme-settings.ts';
import type { SiteTheme } from './pages/site-theme.ts';

/** Data, in the package beside the code. */
const BUILT_IN = fileURLToPath(new URL('../themes/built-in', import.meta.url));

/** @throws ThemeError */
export async function openSiteTheme({
  config,
  themeFolder,
}: {
  config: SiteConfig;
  themeFolder: string | undefined;
}): Promise<SiteTheme> {
  const theme = await readTheme(BUILT_IN, themeFolder);
  const builtIn = themeFolder === undefined ? theme : await readTheme(BUILT_IN, undefined);
  const { files } = theme;
  const engine = createEngine({
    theme,
    builtInTexts: parseThemeSettings(builtIn).texts,
    defaultLocale: config.defaultLocale ?? 'en',
    blocks: config.blocks,
  });
  let scope: object = {};
  return {
    stamp: (file) => files.get(file)?.sha256 ?? '',
    // Texts and settings are read without being noted.
    names: [...files.keys(), files.get('theme.json')?.sha256 ?? ''],
    assetUrl(name) {
      const path = theme.assets.get(name);
      return path === undefined ? undefined : `/${path.split('/').map(encodeURIComponent).join('/')}`;
    },
    files: publishedFiles(theme),
    render(layouts, variables, context) {
      scope = { ...variables, theme: { settings: engine.settings } };
      return engine.render(layouts, scope, context);
    },
    renderField: (field: FieldConfig, value, context) => engine.renderField(field, value, scope, context),
  };
}

function publishedFiles({ files, assets }: ThemeFiles): { file: string; bytes: Buffer }[] {
  return [...files.values()].flatMap(({ path, bytes }) => {
    if (path.startsWith('static/')) return [{ file: path.slice('static/'.length), bytes }];
    const asset = path.startsWith('assets/') ? assets.get(path.slice('assets/'.length)) : undefined;
    return asset === undefined ? [] : [{ file: asset, bytes }];
  });
}
