import { useRef } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';

export interface UploadButtonProps {
  accept?: string | undefined;
  multiple?: boolean;
  class?: string;
  onFiles(files: readonly File[]): void;
}

/** A button in front of the platform's chooser, whose own button cannot be named. */
export function UploadButton({ accept, multiple = true, class: name = '', onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={name} onClick={() => input.current?.click()}>
        <Icon name="upload" />
        {t('media.upload')}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        {...(accept ? { accept } : {})}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
