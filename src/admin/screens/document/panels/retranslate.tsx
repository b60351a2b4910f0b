// Other words for a translation whose source has changed: proposed field by field, and nothing is taken without a look.
import { useAdmin } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import { NoProvider } from '../ai/asking-parts.tsx';
import { FieldProposalList } from '../ai/field-proposals.tsx';
import { mayAsk } from '../ai/may-ask.ts';
import { type OutOfDateProps, useOutOfDate } from './out-of-date.tsx';
import type { PanelProps } from './panels.tsx';

type RetranslateProps = Pick<PanelProps, 'manifest' | 'collection' | 'document' | 'rights' | 'retranslating'> &
  OutOfDateProps;

export function Retranslate(props: RetranslateProps) {
  const { manifest, collection, document, source, translation, retranslating } = props;
  const { session } = useAdmin();
  const isStale = useOutOfDate(props);
  const locale = translation.locale ?? manifest.defaultLocale;
  // What is proposed stays until it is decided, also when a part of it was saved.
  if ((!isStale && retranslating.open.length === 0) || locale === null) return null;
  if (!mayAsk(session.may, props)) return <NoProvider manifest={manifest} />;
  return (
    <FieldProposalList
      {...{ document, collection }}
      proposals={retranslating}
      start={t('retranslate.start')}
      help={t('proposal.each')}
      running={t('proposal.running')}
      onAsk={() =>
        retranslating.ask('/api/cms/ai/translate', { collection: collection.name, slug: source.slug, locale })
      }
    />
  );
}
