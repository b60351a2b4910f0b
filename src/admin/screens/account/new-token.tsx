import { useId, useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { useCopied } from '../../shell/use-copied.ts';
import { type TextKey, t } from '../../text/translate.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { TOKENS_URL } from './addresses.ts';
import { DRAFTS, toClientConfig } from './mcp-key.ts';

export interface NewTokenProps {
  /** Permissions that the person may give to it. */
  grantable: readonly string[];
  /** For a client of MCP: what an agent is given at first, and what the client has to be told. */
  mcpAddress?: string | undefined;
  onMade(): void;
  onClose(): void;
}

export function NewToken({ grantable, mcpAddress, onMade, onClose }: NewTokenProps) {
  const [token, setToken] = useState<string>();
  const made = (text: string): void => {
    setToken(text);
    onMade();
  };
  // With the token on the screen it does not close by accident: nobody can show it again.
  return (
    <Dialog
      title={t(mcpAddress === undefined ? 'tokens.new' : 'mcp.newKey')}
      class="new-token"
      onClose={token === undefined ? onClose : undefined}
    >
      {token === undefined ? (
        <NewTokenForm grantable={grantable} mcpAddress={mcpAddress} onMade={made} onClose={onClose} />
      ) : (
        <MadeToken token={token} mcpAddress={mcpAddress} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface NewTokenFormProps extends Omit<NewTokenProps, 'onMade'> {
  onMade(token: string): void;
}

function NewTokenForm({ grantable, mcpAddress, onMade, onClose }: NewTokenFormProps) {
  const { request, now } = useAdmin();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(
    mcpAddress === undefined ? [] : DRAFTS.filter((one) => grantable.includes(one)),
  );
  const [until, setUntil] = useState('');
  const [actor, setActor] = useState(mcpAddress === undefined ? 'user' : 'ai');
  const [isEmpty, setEmpty] = useState(false);
  const { problem, isBusy, errorOf, run } = useSubmit();
  const id = useId();

  async function create(): Promise<void> {
    const notAfter = until === '' ? {} : { notAfter: toEndOf(until) };
    const body = { name, permissions: chosen, actor, ...notAfter };
    onMade((await request<{ token: string }>('POST', TOKENS_URL, { body })).data.token);
  }

  const wrong = isEmpty && chosen.length === 0 ? t('tokens.noPermission') : errorOf('permissions');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setEmpty(chosen.length === 0);
        if (chosen.length > 0) void run(create);
      }}
    >
      {problem && (
        <div class="problem" role="alert">
          {problem}
        </div>
      )}
      <TextField
        label={t('tokens.name')}
        help={t('tokens.nameHelp')}
        {...{ name: 'token-name', autocomplete: 'off', value: name, error: errorOf('name') }}
        onInput={setName}
      />
      <fieldset class="field permissions" aria-describedby={wrong && `${id}-error`}>
        <legend>{t('tokens.permissions')}</legend>
        {wrong && (
          <p class="error" id={`${id}-error`} role="alert">
            {wrong}
          </p>
        )}
        <div class="permission-list">
          {grantable.map((permission) => (
            <Permission
              key={permission}
              permission={permission}
              isChosen={chosen.includes(permission)}
              onChoose={(isChosen) =>
                setChosen(isChosen ? [...chosen, permission] : chosen.filter((one) => one !== permission))
              }
            />
          ))}
        </div>
      </fieldset>
      <SelectField
        label={t('tokens.actor')}
        value={actor}
        options={[
          { value: 'user', label: t('tokens.actorUser') },
          { value: 'ai', label: t('tokens.actorAi') },
        ]}
        onChange={setActor}
      />
      <TextField
        label={t('tokens.until')}
        help={t('tokens.untilHelp')}
        {...{ name: 'until', type: 'date', required: false, value: until, error: errorOf('notAfter') }}
        min={toDay(now())}
        onInput={setUntil}
      />
      <div class="buttons">
        <button type="submit" class="primary" aria-busy={isBusy}>
          {t('tokens.create')}
        </button>
        <button type="button" onClick={onClose}>
          {t('app.cancel')}
        </button>
      </div>
    </form>
  );
}

interface PermissionProps {
  permission: string;
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
}

function Permission({ permission, isChosen, onChoose }: PermissionProps) {
  const id = useId();
  return (
    <div class="permission">
      <input
        {...{ id }}
        type="checkbox"
        checked={isChosen}
        aria-describedby={`${id}-text`}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <label for={id}>{permission}</label>
      <span class="help" id={`${id}-text`}>
        {t(`right.${permission}` as TextKey)}
      </span>
    </div>
  );
}

function MadeToken({
  token,
  mcpAddress,
  onClose,
}: {
  token: string;
  mcpAddress?: string | undefined;
  onClose(): void;
}) {
  const onCopy = useCopied();
  return (
    <>
      <CopyField
        label={t('tokens.token')}
        value={token}
        verb={t('tokens.copy')}
        help={t('tokens.once')}
        hasFocus
        onCopy={onCopy}
      />
      {mcpAddress !== undefined && (
        <CopyField
          label={t('mcp.config')}
          value={toClientConfig(mcpAddress, token)}
          verb={t('mcp.copyConfig')}
          help={t('mcp.configHelp')}
          onCopy={onCopy}
        />
      )}
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          {t('tokens.done')}
        </button>
      </div>
    </>
  );
}

/** `YYYY-MM-DD` of a moment, where the person is. */
function toDay(at: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The last second of a day, where the person is. */
function toEndOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}
