// The tags that themes have besides LiquidJS's own (README.md): pictures, blocks, forms, search, the head, languages.
import {
  CaptureTag,
  type Context,
  type Emitter,
  Hash,
  type Liquid,
  Tag,
  type TagToken,
  type TopLevelToken,
  Value,
} from 'liquidjs';
import type { FieldConfig } from '../../config/site-config.ts';
import { headHtml } from './head.ts';
import { imageHtml } from './image-html.ts';
import { languageLinks } from './language-links.ts';
import type { RenderState } from './render-state.ts';
import { SafeHtml, toText } from './safe-html.ts';
import type { ThemeTexts } from './theme-settings.ts';

type Named = Record<string, unknown>;

/** Renders a tag from its value and its named arguments; returns HTML. */
type RenderTag = (value: unknown, named: Named, scope: Context) => string;

export function registerTags(liquid: Liquid, state: RenderState, texts: ThemeTexts): void {
  const { page } = state;
  register('image', true, (value, named) => imageHtml(value, named, page()));
  register('blocks', true, (value) => state.fieldHtml(BLOCKS, value ?? []));
  register('form', true, (value) => {
    const name = toText(value);
    const html = page().form(name);
    if (html === undefined) throw new Error(`the site has no form "${name}"`);
    return html;
  });
  register('search', false, () =>
    page().search((key, values = { count: 0 }) => texts.find(page().locale, key, values)),
  );
  register('head', false, (_, named, context) => headHtml(context.getAll() as Named, named, page()));
  liquid.registerTag('capture', SafeCapture);
  register('language_switch', false, (_, named, context) => languageLinks(context.getAll() as Named, named));

  function register(name: string, hasValue: boolean, render: RenderTag): void {
    liquid.registerTag(
      name,
      class extends Tag {
        readonly #value: Value | undefined;
        readonly #named: Hash;

        constructor(token: TagToken, rest: TopLevelToken[], own: Liquid) {
          super(token, rest, own);
          this.#value = hasValue ? new Value(this.tokenizer.readFilteredValue(), own) : undefined;
          this.#named = new Hash(this.tokenizer);
        }

        render(context: Context, emitter: Emitter): void {
          // Neither waits for anything (render-at-once.ts, tags-at-once.ts).
          const value: unknown = this.#value?.value(context);
          const named = this.#named.render(context) as unknown as Named;
          emitter.write(render(value, named, context));
        }
      },
    );
  }
}

const BLOCKS: FieldConfig = { name: 'blocks', type: 'blocks' };

/** What a template captures is what it would print, and has been escaped as such. */
class SafeCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const html: string = yield this.liquid.renderer.renderTemplates(this.templates, context);
    context.memoryLimit.use(html.length);
    context.bottom()[this.variable] = new SafeHtml(html);
  }
}
