import { useRef } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';

export interface UploadButtonProps {
  accept?: string | undefined;
  multiple?: boolean;
  class?: string;
  label?: string;
  disabled?: boolean;
  onFiles(files: readonly File[]): void;
}

/** A button in front of the platform's chooser, whose own button cannot be named. */
export function UploadButton(props: UploadButtonProps) {
  const { accept, multiple = true, class: name = '', label = t('media.upload'), disabled = false, onFiles } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={name} disabled={disabled} onClick={() => input.current?.click()}>
        <Icon name="upload" />
        {label}
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
