// Renders a theme's templates with LiquidJS: output escaped unless a filter of ours made it, own properties only,
// unknown filters and tags an error, limits of time, memory and steps for each page. Templates reach nothing but the
// theme and what the page gives them: no file, no environment, no other site.
import { Liquid, LiquidError, type Template } from 'liquidjs';
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { createFieldHtml } from '../rich-text/field-html.ts';
import { registerFilters } from './filters.ts';
import type { PageContext } from './page-context.ts';
import { renderAtOnce } from './render-at-once.ts';
import type { RenderState } from './render-state.ts';
import { SafeHtml, toOutput } from './safe-html.ts';
import { registerTags } from './tags.ts';
import { installTags } from './tags-at-once.ts';
import { ThemeError } from './theme-error.ts';
import type { ThemeFiles } from './theme-files.ts';
import { createTexts, parseThemeSettings, type ThemeSettings } from './theme-settings.ts';

export interface ThemeEngine {
  /** `theme` as templates see it. */
  settings: Readonly<Record<string, unknown>>;
  /**
   * Renders the first of these layouts that the theme has (`['posts', 'default']`). Every template that is read, or looked
   * for in vain, is reported to `context.use`. @throws ThemeError
   */
  render(layouts: readonly string[], scope: object, context: PageContext): string;
  /** A field as safe HTML, by its type. @throws ThemeError */
  renderField(field: FieldConfig, value: unknown, scope: object, context: PageContext): SafeHtml;
}

export interface EngineParts {
  theme: ThemeFiles;
  /** `theme.json` of the built-in theme: its texts stand in for those that the theme lacks. */
  builtInTexts: ThemeSettings['texts'];
  defaultLocale: string;
  /** The site's blocks: one without a template is shown by its fields. */
  blocks: readonly BlockConfig[];
  /** How long a page may take. */
  maxPageMs?: number;
}

const MAX_PAGE_MS = 5000;
/** LiquidJS counts characters and items that filters and loops make. */
const MAX_PAGE_MEMORY = 50_000_000;
const MAX_PAGE_CHARACTERS = 20_000_000;
/** Blocks within one another: a template that prints the blocks that it is in has no end. */
const MAX_DEPTH = 12;

export function createEngine(parts: EngineParts): ThemeEngine {
  const { theme, builtInTexts, defaultLocale, blocks, maxPageMs = MAX_PAGE_MS } = parts;
  const { files } = theme;
  const { texts, settings } = parseThemeSettings(theme);
  const compiled = new Map<string, Template[]>();
  let current: { page: PageContext; scope: object; untilMs: number } | undefined;
  let depth = 0;

  const liquid = new Liquid({
    fs: inTheme(files),
    root: ['layouts'],
    layouts: ['layouts'],
    partials: ['partials'],
    extname: '.liquid',
    relativeReference: false,
    strictFilters: true,
    ownPropertyOnly: true,
    renderLimit: maxPageMs,
    memoryLimit: MAX_PAGE_MEMORY,
    outputEscape: toOutput,
    cache: {
      // The key is `<kind>:<name>`; each look is one of the page that is being rendered.
      read(key) {
        const [kind = '', name = ''] = key.split(/:(.*)/s);
        current?.page.use(`${kind === 'root' ? 'layouts' : kind}/${name}.liquid`);
        return compiled.get(key);
      },
      write: (key, templates) => void compiled.set(key, templates as Template[]),
      remove: (key) => void compiled.delete(key),
    },
  });
  renderAtOnce(liquid);
  installTags();
  const found = createTexts(texts, builtInTexts, defaultLocale);
  const state: RenderState = {
    page: () => current!.page,
    scope: () => current!.scope,
    renderBlock(name, block) {
      const file = `blocks/${name}.liquid`;
      current!.page.use(file);
      if (!files.has(file)) return undefined;
      const scope = current!.scope;
      return deeper(file, () => {
        const renderLimit = current!.untilMs - performance.now();
        return liquid.renderSync(parse(file), { block }, { globals: scope, renderLimit }) as string;
      });
    },
    blockFields: (name) => blocks.find((block) => block.name === name)?.fields ?? [],
    text: (key) => found.find(current!.page.locale, key, {}),
    fieldHtml: (field, value) => fieldHtml(field, value),
  };
  const fieldHtml = createFieldHtml(state);
  registerFilters(liquid, state, found);
  registerTags(liquid, state, found);

  function parse(file: string): Template[] {
    const known = compiled.get(file);
    if (known) return known;
    const templates = liquid.parse(files.get(file)!.bytes.toString('utf8'), file);
    compiled.set(file, templates);
    return templates;
  }

  function deeper<T>(file: string, run: () => T): T {
    // Each block has LiquidJS's limits for itself; these are those of the page.
    if (performance.now() > current!.untilMs) throw new ThemeError(file, TOO_LATE, { isLate: true });
    if (++depth > MAX_DEPTH) throw new ThemeError(file, `more than ${MAX_DEPTH} blocks within one another`);
    try {
      return run();
    } finally {
      depth--;
    }
  }

  /** A page in the middle of another one (a field's blocks) belongs to the outer one. */
  function within<T>(page: PageContext, scope: object, file: string, run: () => T): T {
    const outer = current;
    current = { page, scope, untilMs: outer?.untilMs ?? performance.now() + maxPageMs };
    try {
      return run();
    } catch (error) {
      throw toThemeError(error, file);
    } finally {
      current = outer;
      if (!outer) depth = 0;
    }
  }

  return {
    settings,
    render(layouts, scope, page) {
      const found = layouts.find((name) => {
        page.use(`layouts/${name}.liquid`);
        return files.has(`layouts/${name}.liquid`);
      });
      if (found === undefined) throw new ThemeError('layouts', `none of the layouts ${layouts.join(', ')} exists`);
      const file = `layouts/${found}.liquid`;
      return within(page, scope, file, () => {
        const html = liquid.renderSync(parse(file), {}, { globals: scope }) as string;
        if (html.length > MAX_PAGE_CHARACTERS) throw new ThemeError(file, TOO_LARGE);
        return html;
      });
    },
    renderField: (field, value, scope, page) =>
      within(page, scope, 'layouts', () => new SafeHtml(fieldHtml(field, value))),
  };
}

/** The theme's templates as LiquidJS's file system: what it looks up by name, and no other file. */
function inTheme(files: ThemeFiles['files']) {
  const existsSync = (file: string): boolean => files.has(file);
  const readFileSync = (file: string): string => files.get(file)!.bytes.toString('utf8');
  return {
    resolve: (folder: string, name: string, extension: string) =>
      `${folder}/${name}${name.endsWith(extension) ? '' : extension}`,
    existsSync,
    exists: async (file: string) => existsSync(file),
    readFileSync,
    readFile: async (file: string) => readFileSync(file),
  };
}

const TOO_LARGE = `the page has more than ${MAX_PAGE_CHARACTERS} characters`;
const TOO_LATE = 'the page takes too long to render';
/** LiquidJS's words. */
const LATE = /render limit exceeded/;
const TOO_DEEP = 'templates call one another without an end';

function toThemeError(error: unknown, file: string): ThemeError {
  if (error instanceof ThemeError) return error;
  if (error instanceof RangeError && isOfEngine(error)) return new ThemeError(file, reasonOf(error), { cause: error });
  if (!LiquidError.is(error)) throw error;
  const inner = (error as LiquidError).originalError;
  if (inner instanceof ThemeError) return inner;
  const { file: where, line, column } = placeOf(error, file);
  const reason = reasonOf(inner ?? error);
  return new ThemeError(where, reason, { line, column, isLate: LATE.test(reason), cause: error });
}

/** V8's words for a stack and a string that cannot grow. */
function isOfEngine({ message }: RangeError): boolean {
  return /call stack|string length/.test(message);
}

function reasonOf(error: Error): string {
  if (error instanceof RangeError && isOfEngine(error)) return /stack/.test(error.message) ? TOO_DEEP : TOO_LARGE;
  return error.message.replace(/, file:.*$/s, '');
}

function placeOf({ token }: LiquidError, file: string): { file: string; line: number; column: number } {
  const [line = 0, column = 0] = token.getPosition?.() ?? [];
  return { file: token.file ?? file, line, column };
}
