// How a search engine shows the page, with how long its texts are.
import { useComputed } from '@preact/signals';
import { titleOf } from '../../../config/manifest.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import { FieldProposalList } from '../ai/field-proposals.tsx';
import { isSeoField, mayAsk } from '../ai/may-ask.ts';
import { unsavedOf } from '../ai/use-field-proposals.ts';
import type { PanelProps } from './panels.tsx';

const TITLE_MAX = 60;
const DESCRIPTION_MAX = 160;
/** Fields that themes take the description from, in this order. */
const DESCRIPTIONS = ['seoDescription', 'description', 'summary', 'standfirst', 'excerpt'];

export function Seo(props: PanelProps) {
  const { collection, document } = props;
  const texts = useComputed(() => {
    const slug = String(document.value('slug').value ?? '');
    const data = document.data();
    const given = typeof data.seoTitle === 'string' && data.seoTitle !== '' ? data.seoTitle : undefined;
    const title = given ?? titleOf(data, slug, collection);
    const description = DESCRIPTIONS.map((name) => data[name]).find((text) => typeof text === 'string' && text !== '');
    const path = (collection.urlPattern ?? `/${collection.name}/:slug`).replace(':slug', slug);
    return { title, path, description: typeof description === 'string' ? description : '' };
  }).value;
  return (
    <>
      <div class="snippet">
        <p class="help">{texts.path}</p>
        <p class="snippet-title">{cut(texts.title, TITLE_MAX)}</p>
        <p>{cut(texts.description, DESCRIPTION_MAX)}</p>
      </div>
      <Meter
        text={t('seo.title', { count: [...texts.title].length })}
        length={[...texts.title].length}
        max={TITLE_MAX}
      />
      {[...texts.title].length > TITLE_MAX && <p class="help">{t('seo.titleLong')}</p>}
      <Meter
        text={t('seo.description', { count: [...texts.description].length })}
        length={[...texts.description].length}
        max={DESCRIPTION_MAX}
      />
      {texts.description === '' && <p class="help">{t('seo.descriptionMissing')}</p>}
      {[...texts.description].length > DESCRIPTION_MAX && <p class="help">{t('seo.descriptionLong')}</p>}
      <ProposeSeo {...props} />
    </>
  );
}

function ProposeSeo(props: PanelProps) {
  const { collection, document, seoProposals } = props;
  const { session } = useAdmin();
  const slug = document.latest.value?.document.id;
  if (!slug || !collection.fields.some(isSeoField) || !mayAsk(session.may, props)) return null;
  return (
    <FieldProposalList
      {...{ document, collection }}
      proposals={seoProposals}
      start={t('seo.propose')}
      help={t('proposal.each')}
      running={t('rewrite.running')}
      onAsk={() => {
        const body = { collection: collection.name, slug, ...unsavedOf(document, collection) };
        seoProposals.ask('/api/cms/ai/seo', body);
      }}
    />
  );
}

function cut(text: string, max: number): string {
  const signs = [...text];
  return signs.length > max ? `${signs.slice(0, max - 1).join('')}…` : text;
}

function Meter({ text, length, max }: { text: string; length: number; max: number }) {
  return (
    <label class="meter">
      {text}
      <meter min={0} max={Math.max(max * 1.5, length)} high={max} value={length} />
    </label>
  );
}
