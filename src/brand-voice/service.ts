// The brand voice of a site: saved in versions, one of them active, translated into the site's locales on
// request.
import type { Ai, AiPayer } from '../ai/ai.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { conflict, invalid, notFound, ServiceError } from '../lib/errors.ts';
import { createNews, type News } from '../lib/queues/news.ts';
import { isLocale } from '../lib/text/locale.ts';
import { didYouMean } from '../lib/text/nearest.ts';
import { toVoiceBlock } from './block.ts';
import { toRecord, type VoiceRecord, type VoiceVersion } from './record.ts';
import { translateRecord } from './translate-record.ts';
import { createVoiceVersions, type VoiceVersions } from './versions.ts';
import { createVoiceFiles, type TranslatedVoice } from './voice-files.ts';

export interface BrandVoiceParts {
  data: DataFolder;
  ai: Ai;
  config: { defaultLocale?: string | undefined; locales: readonly string[] };
  now: () => Date;
  newId(): string;
  /** Aborted when the site closes. */
  closing: AbortSignal;
  warn(message: string): void;
}

export interface VoiceNews {
  activeId: string | null;
}

export interface VoiceTranslation {
  locale: string;
  translatedAt: string;
  model: string | null;
  /** The version that was translated. */
  versionId: string;
  record: VoiceRecord;
}

export interface BrandVoice extends VoiceVersions {
  /**
   * The active version if its language is this one, else its translation: the one in the cache unless it is stale.
   * The payer pays for a translation that is missing. @throws ServiceError 400, 404, 402, and what the model
   * is refused for
   */
  inLocale(locale: string, payer: AiPayer): Promise<VoiceVersion | VoiceTranslation>;
  /** Translates anew. @throws as `inLocale`; 409 for the voice's own language */
  translate(locale: string, payer: AiPayer): Promise<VoiceTranslation>;
  /**
   * The block `## Brand Voice` for a prompt, or the empty string if no voice is saved. In the voice's own language if a
   * translation cannot be had; chat asks without a locale and never waits for a model.
   */
  block(locale?: string | undefined, payer?: AiPayer): Promise<string>;
  /** Calls the listener with each change of the versions; returns the function that stops it. */
  listen: News<VoiceNews>['listen'];
  /** Reads the files again after something else changed them (a restored backup). */
  reload(): void;
}

interface ActiveVersion {
  version: VoiceVersion;
  stamp: string;
}

export function createBrandVoice(parts: BrandVoiceParts): BrandVoice {
  const { config, ai, now, closing } = parts;
  const news = createNews<VoiceNews>();
  const files = createVoiceFiles(parts.data, parts.warn, ({ activeId }) => news.report({ activeId }));
  /** Two who ask for one translation get the same; the key has the stamp. */
  const underWay = new Map<string, Promise<VoiceTranslation>>();

  async function activeVersion(): Promise<ActiveVersion> {
    const { versions, activeId, stamp } = await files.history();
    const version = versions.find(({ id }) => id === activeId);
    if (!version) throw notFound('brand voice');
    return { version, stamp };
  }

  const languageOf = (version: VoiceVersion): string | undefined => version.language ?? config.defaultLocale;

  /** @throws ServiceError 400 */
  function checkLocale(locale: string, version: VoiceVersion | undefined): void {
    if (!isLocale(locale)) throw invalid([{ path: 'locale', message: 'must be a language tag such as en or pt-BR' }]);
    const known = [...config.locales, config.defaultLocale, version && languageOf(version)].filter(
      (one) => one !== undefined,
    );
    if (known.some((one) => isSame(one, locale))) return;
    throw invalid([{ path: 'locale', message: `"${locale}" is not a locale of the site${didYouMean(locale, known)}` }]);
  }

  function renew({ version, stamp }: ActiveVersion, locale: string, payer: AiPayer): Promise<VoiceTranslation> {
    const key = `${stamp} ${locale}`;
    const work =
      underWay.get(key) ?? translateNow({ version, stamp }, locale, payer).finally(() => void underWay.delete(key));
    underWay.set(key, work);
    return work;
  }

  /** Its asker may leave; what it costs is paid by then, and the next one finds it. */
  async function translateNow(
    { version, stamp }: ActiveVersion,
    locale: string,
    payer: AiPayer,
  ): Promise<VoiceTranslation> {
    const record = await translateRecord(ai, toRecord(version), locale, { payer, signal: closing });
    const cached = { ...record, stamp, translatedAt: now().toISOString(), model: ai.model ?? null };
    await files.writeTranslated(locale, cached);
    return toTranslation(cached, version, locale);
  }

  async function inLocale(asked: string, payer: AiPayer): Promise<VoiceVersion | VoiceTranslation> {
    const { version, stamp } = await activeVersion();
    checkLocale(asked, version);
    const locale = canonical(asked);
    const language = languageOf(version);
    if (language === undefined || isSame(language, locale)) return version;
    const cached = await files.translated(locale);
    if (cached?.stamp === stamp) return toTranslation(cached, version, locale);
    return renew({ version, stamp }, locale, payer);
  }

  return {
    ...createVoiceVersions(files, parts),
    inLocale,
    async translate(asked, payer) {
      const { version, stamp } = await activeVersion();
      checkLocale(asked, version);
      const language = languageOf(version);
      if (language === undefined || isSame(language, asked)) {
        throw conflict(`the brand voice is in "${language ?? asked}" already`);
      }
      return renew({ version, stamp }, canonical(asked), payer);
    },
    // An agent's run, which keeps a budget of its own, counts for the site alone.
    async block(locale, payer = { userId: null }) {
      const { versions, activeId } = await files.history();
      const version = versions.find(({ id }) => id === activeId);
      if (!version) return '';
      if (locale === undefined) return toVoiceBlock(version);
      try {
        const found = await inLocale(locale, payer);
        return toVoiceBlock('record' in found ? found.record : found);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return toVoiceBlock(version);
      }
    },
    listen: news.listen,
    reload: files.reload,
  };
}

function toTranslation(cached: TranslatedVoice, { id }: VoiceVersion, locale: string): VoiceTranslation {
  const { stamp: _, translatedAt, model, ...record } = cached;
  return { locale, translatedAt, model, versionId: id, record };
}

/** Also the name of the cache: `pt-br` and `pt-BR` are one language. */
function canonical(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? locale;
  } catch (error) {
    if (error instanceof RangeError) return locale.toLowerCase();
    throw error;
  }
}

function isSame(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}
