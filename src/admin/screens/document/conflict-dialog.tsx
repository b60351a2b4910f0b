// Two people changed the same in the document that is open.
import type { CollectionInfo } from '../../config/manifest.ts';
import type { Conflict } from '../../document/edits.ts';
import type { OpenDocument } from '../../document/open-document.ts';
import { readKey } from '../../document/stored-document.ts';
import { t } from '../../text/translate.ts';
import { ConflictQuestion } from './conflict-question.tsx';

export interface ConflictDialogProps {
  document: OpenDocument;
  collection: CollectionInfo;
  who: string | undefined;
}

export function ConflictDialog({ document, collection, who = t('done.someone') }: ConflictDialogProps) {
  const conflicts = document.conflicts.value;
  if (conflicts.length === 0) return null;
  return (
    <ConflictQuestion
      {...{ conflicts, collection }}
      texts={{
        text: t('conflict.text', { who }),
        again: t('conflict.again', { who }),
        choices: { mine: t('conflict.mine'), theirs: t('conflict.theirs'), both: t('conflict.both') },
        save: t('conflict.save'),
        discard: t('conflict.discard'),
        back: t('conflict.back'),
      }}
      onDecide={(chosen) => void document.resolve(chosen)}
      onDiscard={() => discardMine(document, conflicts)}
      onClose={() => document.postpone()}
    />
  );
}

/** What is theirs stays; what only I changed is still on the screen. */
function discardMine(document: OpenDocument, conflicts: readonly Conflict[]): void {
  const stored = document.latest.peek()?.document;
  for (const { key } of conflicts) document.set(key, readKey(stored, key));
  document.postpone();
}
