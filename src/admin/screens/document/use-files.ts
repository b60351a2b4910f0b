// Files for the fields of a form: the picker of the library, and uploads.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldFile } from '../../fields/control.ts';
import type { FileKind } from '../../media/media-file.ts';
import { FilePicker } from '../../media/picker.tsx';
import { uploadFile } from '../../media/upload.ts';
import { useAdmin } from '../../shell/admin.ts';

interface Question {
  kinds: readonly FileKind[];
  answer(file: FieldFile | undefined): void;
}

const KINDS: Readonly<Record<string, readonly FileKind[]>> = { image: ['image'], video: ['video'], audio: ['audio'] };

export function useFiles() {
  const { session, site } = useAdmin();
  const [question, ask] = useState<Question>();
  const upload = session.may('media:write')
    ? async (file: File): Promise<FieldFile> => {
        const { url } = await uploadFile(file, { site });
        return { url, alt: '' };
      }
    : undefined;
  const chooseFile = session.may('media:read')
    ? (kind: string): Promise<FieldFile | undefined> =>
        new Promise((answer) => ask({ kinds: KINDS[kind] ?? [], answer }))
    : undefined;
  const close = (file?: FieldFile): void => {
    ask(undefined);
    question?.answer(file);
  };
  const dialog =
    question &&
    h(FilePicker, {
      kinds: question.kinds,
      onChoose: ({ url, alt }) => close({ url, alt: alt ?? '' }),
      onClose: () => close(),
    });
  return { upload, chooseFile, dialog };
}
