// A text field's menu of what a model can do with its text. The dialog that it opens shows the result as a difference.
import { useState } from 'preact/hooks';
import { type CollectionInfo, type FieldInfo, labelOf } from '../../../config/manifest.ts';
import type { OpenDocument } from '../../../document/open-document.ts';
import { t } from '../../../text/translate.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { RewriteDialog } from './rewrite-dialog.tsx';

export interface RewriteMenuProps {
  field: FieldInfo;
  document: OpenDocument;
  collection: CollectionInfo;
}

const WAYS = ['shorter', 'longer', 'simpler', 'spelling'] as const;

export function RewriteMenu({ field, document, collection }: RewriteMenuProps) {
  /** The empty string: the person writes one. */
  const [instruction, setInstruction] = useState<string>();
  return (
    <>
      <Menu
        label={t('rewrite.menu', { label: labelOf(field) })}
        entries={[
          ...WAYS.map((way) => ({
            kind: 'item' as const,
            label: t(`rewrite.${way}`),
            onSelect: () => setInstruction(t(`rewrite.${way}Instruction`)),
          })),
          { kind: 'item', label: t('rewrite.own'), onSelect: () => setInstruction('') },
        ]}
      >
        <Icon name="sparkles" />
      </Menu>
      {instruction !== undefined && (
        <RewriteDialog {...{ field, document, collection, instruction }} onClose={() => setInstruction(undefined)} />
      )}
    </>
  );
}
